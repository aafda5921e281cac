/**
 * Checks the store once a minute for problems that might go unnoticed: leads that aren't reaching the webhook, leads on hold,
 * people whom nobody calls, missing certificates, missing backups, and leads dated in the future.
 */
import type { Store } from '../store/store.ts'
import type { Alerts } from './alerts.ts'
import { type Circumstances, type ProblemStore, problemsOf, readStoreFacts } from './problems.ts'

/** How many of the latest leads to check for certificates. */
const LATEST_LEADS = 60

export interface StoreWatchOptions extends Circumstances {
  readonly store: ProblemStore & Pick<Store, 'latestCertificates'>
  /** Tries a write and raises its own alert if that fails. */
  readonly probe: () => Promise<unknown>
  readonly alerts: Alerts
  /** Whether the pages request certificates. */
  readonly expectsCertificates: boolean
}

/** Returns a function that runs the checks. */
export function createStoreWatch(options: StoreWatchOptions) {
  const { store, probe, alerts, expectsCertificates } = options
  async function check(): Promise<void> {
    await probe().catch(() => {})
    try {
      const facts = await readStoreFacts(store, options)
      for (const { code, text, isRecent, ...more } of problemsOf(facts, options)) {
        if (!isRecent) alerts.raise(code, text, more)
      }
      await checkCertificates()
    } catch (error) {
      const reason = error instanceof Error ? error.name : 'unknown'
      const text = `Can’t read the database (${reason}), so alerts about waiting leads are off. Run \`leads doctor\`.`
      alerts.raise('store_unreadable', text, { detail: { reason } })
    }
  }

  async function checkCertificates(): Promise<void> {
    if (!expectsCertificates || !hasStopped(await store.latestCertificates(LATEST_LEADS))) return
    alerts.raise(
      'certificates_missing',
      'New leads no longer have TrustedForm certificates. Check whether TrustedForm is down or its script is blocked.',
    )
  }

  return check
}

/** If half of all leads have a certificate, the odds of this many in a row without one are one in a thousand. */
const IN_A_ROW = 10
const MIN_EARLIER = 10

/** `latest` is newest first. False if there are too few leads, or if most earlier ones had no certificate either. */
function hasStopped(latest: readonly boolean[]): boolean {
  const first = latest.indexOf(true)
  const [inARow, earlier] = first === -1 ? [latest.length, []] : [first, latest.slice(first)]
  // So many without one can't be chance, even if few of the earlier ones are left to compare with.
  if (inARow > LATEST_LEADS - MIN_EARLIER) return true
  const usual = earlier.filter(Boolean).length / earlier.length
  return inARow >= IN_A_ROW && earlier.length >= MIN_EARLIER && usual >= 0.5
}
