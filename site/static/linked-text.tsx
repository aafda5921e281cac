/** A text with links in it, as content writes it. */
import type { LinkedText as Text } from '../../content/links.ts'

export function LinkedText({ text }: { text: Text }) {
  if (typeof text === 'string') return text
  return text.map(part =>
    typeof part === 'string' ? (
      part
    ) : (
      // Padding on an inline element moves no line, and makes a target of 48 px.
      <a key={part.href} href={part.href} className="py-3.5 underline underline-offset-4">
        {part.text}
      </a>
    ),
  )
}
