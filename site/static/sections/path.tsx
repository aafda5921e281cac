/** Steps joined by a dotted line: down the page on a phone, across it on a desktop and in print. */
import type { CardContent } from '../../../site-folder/types.ts'

export function Path({ steps }: { steps: readonly CardContent[] }) {
  return (
    <ol className="path">
      {steps.map(({ title, text }, index) => (
        <li key={title}>
          <span aria-hidden="true">{index + 1}</span>
          <h3 className="text-title">{title}</h3>
          <p className="max-w-[62ch] pt-2">{text}</p>
        </li>
      ))}
    </ol>
  )
}
