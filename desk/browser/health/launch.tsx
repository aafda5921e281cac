/** What the launch check still finds. */
import { CircleCheck } from 'lucide-react'
import type { HealthAnswer, LaunchOpenPoint } from '../../api/health.ts'
import { Card } from '../ui/card.tsx'

/** The worst come first; all of them would push the rest of the page out of sight. */
const FIRST = 8

export function Launch({ launch }: { readonly launch: HealthAnswer['launch'] }) {
  return (
    <Card title="Before the public comes" className="lg:col-span-2">
      {launch === null ? (
        <p>The site was not built on this machine, so it is not known.</p>
      ) : launch.open.length + launch.soon.length === 0 ? (
        <p className="flex items-start gap-2.5">
          <CircleCheck aria-hidden size={22} className="mt-0.5 shrink-0 text-action-strong" />
          The launch check finds nothing.
        </p>
      ) : (
        <>
          <Points points={launch.open.slice(0, FIRST)} />
          {launch.open.length <= FIRST ? null : (
            <details className="mt-3">
              <summary className="mb-2 min-h-8 font-bold">{launch.open.length - FIRST} more</summary>
              <Points points={launch.open.slice(FIRST)} />
            </details>
          )}
          {launch.soon.length === 0 ? null : (
            <>
              <h3 className="mb-1 mt-4 text-base">Soon</h3>
              <Points soon points={launch.soon} />
            </>
          )}
          <p className="mt-3 text-small text-ink-soft">
            <code className="font-mono">npm run launch-check</code> says which line to change.
          </p>
        </>
      )}
    </Card>
  )
}

function Points({ points, soon = false }: { readonly points: readonly LaunchOpenPoint[]; readonly soon?: boolean }) {
  return (
    <ul className="list-disc gap-8 space-y-1.5 pl-5 lg:columns-2">
      {points.map(({ code, words, from }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one code may be open in several places.
        <li key={`${code}-${index}`}>
          {words}
          {soon && from !== null ? ` (from ${from} on)` : ''}
        </li>
      ))}
    </ul>
  )
}
