/** The doctor's look at alerts: whether anybody would hear of one, and which of them stand. */
import type { Config } from '../../server/config.ts'
import type { Store } from '../../server/store/store.ts'
import { age } from '../terminal/words.ts'
import { type Finding, findingsAbout } from './finding.ts'

const { ok, warning } = findingsAbout('Alerts')

/** The address is not asked: to know that it shows alerts, somebody has to look. */
export function checkAlertAddress({ alertUrl }: Pick<Config, 'alertUrl'>): Finding {
  if (alertUrl !== null)
    return ok(`They go to ${new URL(alertUrl).host} as well as to the log. Try it with: test-alert`)
  return warning('ALERT_WEBHOOK_URL is not set: they go to the log only, where somebody has to look.')
}

export async function checkAlerts(store: Pick<Store, 'alertsSince'>, now: number): Promise<readonly Finding[]> {
  const standing = (await store.alertsSince(now)).filter(({ endedAt }) => endedAt === null)
  if (standing.length === 0) return [ok('None stands.')]
  return standing.map(({ text, source, startedAt }) =>
    warning(`For ${age(now - startedAt)}${source ? `, on ${source}` : ''}: ${text}`),
  )
}
