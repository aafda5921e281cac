/** Active alerts, and recently resolved ones. */
import type { Health } from '../../client.ts'
import { span, useTimes } from '../../times.ts'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'

export function Alerts({ alerts: { active, resolved } }: { readonly alerts: Health['alerts'] }) {
  const times = useTimes()
  return (
    <Card title="Alerts">
      {active.length === 0 ? (
        <p className="text-ink-soft">No active alerts.</p>
      ) : (
        <ul className="flex flex-col gap-3">
          {active.map(({ id, text, startedAt }) => (
            <li key={id} className="flex items-start gap-2.5 rounded-xl border border-error bg-error-soft p-3">
              <Icon name="alert" size={20} className="mt-0.5 text-error" />
              <span>
                {text}
                <span className="block text-small">Since {times.short(startedAt)}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {resolved.length === 0 ? null : (
        <details className="mt-4">
          <summary className="min-h-8 font-bold">Resolved in the last 7 days ({resolved.length})</summary>
          <ul className="mt-2 flex flex-col gap-2 text-small">
            {resolved.map(({ id, text, startedAt, endedAt }) => (
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
