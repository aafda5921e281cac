/** Renders text with links from content/. */
import type { LinkedText as Text } from '../../site-folder/types.ts'

export function LinkedText({ text }: { text: Text }) {
  if (typeof text === 'string') return text
  return text.map(part =>
    typeof part === 'string' ? (
      part
    ) : (
      // Padding on an inline element makes a 48 px target without moving lines.
      <a
        key={part.href}
        href={part.href}
        className={`py-3.5 underline underline-offset-4 ${part.href.startsWith('tel:') ? 'tel -my-3.5' : ''}`}
      >
        {part.text}
      </a>
    ),
  )
}
