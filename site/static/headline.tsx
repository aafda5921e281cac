/** A headline that keeps "$4,018/Month" on one line. Where large text leaves no room for that, it breaks at the slash. */
import { Fragment } from 'react'

export function Headline({ text }: { text: string }) {
  return text.split(/(\S+\/\S+)/).map((part, index) => {
    const [before, after] = part.split(/(?<=\/)/)
    // Every second part is a word with a slash in it.
    if (index % 2 === 0) return <Fragment key={part}>{part}</Fragment>
    return (
      <span key={part} className="inline-block">
        {before}
        <wbr />
        {after}
      </span>
    )
  })
}
