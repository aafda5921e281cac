/** Alerts are written for logs and chats, too, where commands stand between backticks. */
import type { ReactNode } from 'react'

export const withCode = (text: string): ReactNode =>
  text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code key={part} className="font-mono">
        {part}
      </code>
    ),
  )
