/** A text with links, as content/ writes it. */
import type { LinkedText as Text } from '../../content/links.ts'

export function LinkedText({ text }: { text: Text }) {
  if (typeof text === 'string') return text
  return text.map(part =>
    typeof part === 'string' ? (
      part
    ) : (
      // Padding on an inline element doesn't move lines, and makes a 48 px target.
      <a key={part.href} href={part.href} className="py-3.5 underline underline-offset-4">
        {part.text}
      </a>
    ),
  )
}
