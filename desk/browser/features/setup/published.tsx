/** What went live, and changes of reviewed texts that wait for a review. For reading: reviews are recorded in the site's folder. */

import { withoutText } from '../../../../domain/text/text-blocks.ts'
import type { Setup } from '../../client.ts'
import { useTimes } from '../../times.ts'
import { Card } from '../../ui/card.tsx'

type Publishing = NonNullable<Setup['publishing']>

export function Held({ held }: Pick<Publishing, 'held'>) {
  return (
    <Card title="Waiting for a review" note="Visitors get the reviewed text until someone has reviewed the change.">
      {held.map(({ name, live, edit, command, lines }) => (
        <section key={name} className="mt-3 border-t border-line pt-3">
          <h3 className="font-mono text-base">{name}.md</h3>
          {live === null && (
            <p className="font-bold">The reviewed text isn’t known on this server, so {withoutText(name)}.</p>
          )}
          <div className="mt-2 grid gap-3 md:grid-cols-2">
            {live !== null && <Version title="Live" text={live} other={edit} />}
            <Version title="Your change" text={edit} other={live ?? edit} />
          </div>
          <p className="mt-3">When it’s reviewed, run this, or add the lines below to reviews.toml:</p>
          <pre className="mt-1 overflow-x-auto rounded-lg bg-sage p-3 text-small">{`${command}\n\n${lines}`}</pre>
        </section>
      ))}
    </Card>
  )
}

interface VersionProps {
  readonly title: string
  readonly text: readonly string[]
  readonly other: readonly string[]
}

/** What the other version doesn't have is marked. */
function Version({ title, text, other }: VersionProps) {
  return (
    <figure className="min-w-0 rounded-xl border border-line bg-paper p-3">
      <figcaption className="mb-1 text-small text-ink-soft">{title}</figcaption>
      {text.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text can say the same twice
        <p key={index} className="mt-1.5 whitespace-pre-line text-small">
          {other.includes(line) ? line : <mark>{line}</mark>}
        </p>
      ))}
    </figure>
  )
}

/** More would hide the others. */
const MOST_NAMES = 12

export function History({ history }: Pick<Publishing, 'history'>) {
  const times = useTimes()
  return (
    <details className="mt-3">
      <summary className="min-h-8 font-bold">What went live, and when</summary>
      <ol>
        {history.map(({ at, commit, changed }) => (
          <li key={at} className="border-t border-line py-1.5 text-small">
            {times.short(at)}
            {commit !== null && (
              <>
                , from commit <span className="font-mono">{commit.slice(0, 8)}</span>
              </>
            )}
            : {changed.slice(0, MOST_NAMES).join(', ') || 'pictures, settings, or the program'}
            {changed.length > MOST_NAMES && `, and ${changed.length - MOST_NAMES} more`}
          </li>
        ))}
      </ol>
    </details>
  )
}
