/** Alerts that stand, and those that were over lately. */
import { TriangleAlert } from 'lucide-react'
import type { HealthAnswer } from '../../api/health.ts'
import { span, useTimes } from '../times.ts'
import { Card } from '../ui/card.tsx'

export function Alerts({ alerts: { standing, ended } }: { readonly alerts: HealthAnswer['alerts'] }) {
  const times = useTimes()
  return (
    <Card title="Alerts">
      {standing.length === 0 ? (
        // No more than that: leads may wait for somebody all the same, as the cards beside this one say.
        <p className="text-ink-soft">No alerts now.</p>
      ) : (
        <ul className="flex flex-col gap-3">
          {standing.map(({ id, text, startedAt }) => (
            <li key={id} className="flex items-start gap-2.5 rounded-xl border border-error bg-error-soft p-3">
              <TriangleAlert aria-hidden size={20} className="mt-0.5 shrink-0 text-error" />
              <span>
                {text}
                <span className="block text-small">Since {times.short(startedAt)}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {ended.length === 0 ? null : (
        <details className="mt-4">
          <summary className="min-h-8 font-bold">Over, of the last seven days ({ended.length})</summary>
          <ul className="mt-2 flex flex-col gap-2 text-small">
            {ended.map(({ id, text, startedAt, endedAt }) => (
              <li key={id} className="border-t border-line pt-2">
                {text}
                <span className="block text-ink-soft">
                  {times.short(startedAt)}
                  {endedAt === null ? '' : `, for ${span(endedAt - startedAt)}`}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  )
}
