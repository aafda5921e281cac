/**
 * Tracks whether the store accepts leads. The receiver stores leads through this module, and /readyz and the metrics use it
 * too. An alert is open while leads are refused, except during the first minute if the store may still open.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE } from '../../domain/durations.ts'
import type { Alerts } from '../alerts/alerts.ts'
import { perSite } from '../http/live-site.ts'
import type { LanguageCopy } from '../http/site-manifest.ts'
import { describeError, type Log, log as realLog } from '../process/log.ts'
import { versionOf } from '../store/facts/leads/hashes.ts'
import type { Store } from '../store/store.ts'
import { reasonOf, StoreUnavailable, StoreUnusable, UpgradeWaits } from '../store/store-errors.ts'

/**
 * A probe can succeed even though captures fail (a full disk, a damaged table), so after a failed capture, the server
 * reports that it isn't ready, but only for this long: proxies send it no leads, so it wouldn't notice that the store recovered.
 */
const NOT_READY_MS = MINUTE
/** For this long after a failed capture, the alert stays open even if probes succeed, unless a capture does. */
const IGNORE_PROBES_MS = 10 * MINUTE

/** Each probe writes to disk, so its result is reused for this long. */
const PROBE_REUSE_MS = 2000
/** How long a health check waits for a probe. */
const PROBE_WAIT_MS = 2000
/** After this long, a probe counts as failed. A hung disk never responds. */
const PROBE_TIMEOUT_MS = 10_000

/** After a reboot, the database or a disk may be available later than this server. Nobody has to know. */
const OPENING_GRACE_MS = 45_000

/** Keeps a flood of made-up versions from causing one query each. */
const VERSIONS_REFRESH_MS = 1000

export type IntakeStore = Pick<Store, 'capture' | 'presentedVersions' | 'probe'> &
  Pick<Store, 'addToDoNotCall' | 'stopFromCrm' | 'clientFromCrm' | 'sentLead' | 'correctSentLead' | 'preferCallTime'>

/** What /readyz says. A reason never quotes what a visitor typed, but it may name paths and hosts. */
export type Readiness =
  | { readonly status: 'ready' | 'opening' }
  /** With a reason if it can't start yet, such as older servers on other machines. */
  | { readonly status: 'upgrading'; readonly reason?: string }
  | { readonly status: 'failed'; readonly reason: string }

const failed = (error: unknown): Readiness => ({ status: 'failed', reason: reasonOf(error) })
const NOT_RESPONDING = failed(new StoreUnavailable('the store isn’t responding.'))

export type Availability = ReturnType<typeof createAvailability>

interface AvailabilityOptions {
  readonly alerts: Alerts
  readonly copy: () => { readonly languages: Readonly<Record<string, Pick<LanguageCopy, 'consent' | 'questionnaire'>>> }
  readonly store?: IntakeStore
  readonly log?: Log
  /** A monotonic clock. */
  readonly tick?: () => number
  readonly probeTimeoutMs?: number
}

export function createAvailability(options: AvailabilityOptions) {
  const { alerts, copy, log = realLog, tick = () => performance.now(), probeTimeoutMs = PROBE_TIMEOUT_MS } = options
  let store = options.store ?? null
  const known = { consent: new Set<string>(), questionnaire: new Set<string>() }
  const languages = new Map<string, string>()
  /** The versions that this server's pages send with a lead, by language. Open pages go on sending those of earlier sites. */
  const shown = perSite(copy, ({ languages: copies }) => {
    const versions = new Map<string, { readonly consent: string; readonly questionnaire: string }>()
    for (const [language, copyThere] of Object.entries(copies)) {
      const [consent, questionnaire] = [versionOf(copyThere.consent), versionOf(copyThere.questionnaire)]
      versions.set(language, { consent, questionnaire })
      if (copyThere.consent !== '') {
        languages.set(consent, language)
        known.consent.add(consent)
      }
      known.questionnaire.add(questionnaire)
    }
    return versions
  })

  const startedAt = tick()
  let openError: unknown = new StoreUnavailable('the store is still opening.')

  const never = Number.NEGATIVE_INFINITY
  /** Reset once a capture succeeds. */
  let captureFailedAt = never
  let captureError: unknown

  let versionsReadAt = never
  let readingVersions = Promise.resolve()

  let probedAt = never
  let probing = Promise.resolve<Readiness>({ status: 'opening' })
  /** Until the store is open. A failed attempt counts until one succeeds, or gets as far as an upgrade. */
  let opening: Readiness = { status: 'opening' }

  function openStore(): IntakeStore {
    if (store === null) throw new StoreUnavailable('the store isn’t open.')
    return store
  }

  function raiseAlert(error: unknown): void {
    const reason = reasonOf(error)
    const text = `Not accepting leads: ${reason} Visitors are asked to try again or call. Run \`leads doctor\`.`
    alerts.raise('leads_refused', text, { detail: { reason } })
  }

  function alertIfNotOpen(): void {
    const mayStillOpen = openError instanceof StoreUnavailable && tick() - startedAt < OPENING_GRACE_MS
    if (store === null && !mayStillOpen) raiseAlert(openError)
  }

  async function capture(submission: Parameters<Store['capture']>[0]) {
    const opened = openStore()
    try {
      const lead = await opened.capture(submission)
      captureFailedAt = never
      return lead
    } catch (error) {
      captureFailedAt = tick()
      captureError = error
      raiseAlert(error)
      throw error
    }
  }

  async function readVersions(): Promise<void> {
    versionsReadAt = tick()
    try {
      const { consents, questionnaires } = await openStore().presentedVersions()
      for (const version of consents) known.consent.add(version)
      for (const version of questionnaires) known.questionnaire.add(version)
    } catch (error) {
      versionsReadAt = never
      if (store) raiseAlert(error)
      throw error
    }
  }

  /** Whether any of our servers has ever shown this version of the text. */
  async function isKnown(text: keyof typeof known, version: string): Promise<boolean> {
    shown()
    if (known[text].has(version)) return true
    if (!/^[0-9a-f]{64}$/.test(version)) return false
    // Another server might have shown it first. Ask the store, using one query for all waiting requests.
    if (tick() - versionsReadAt >= VERSIONS_REFRESH_MS) readingVersions = readVersions()
    await readingVersions
    return known[text].has(version)
  }

  async function probe(): Promise<Readiness> {
    if (store === null) {
      alertIfNotOpen()
      return opening
    }
    try {
      await Promise.race([
        store.probe(),
        sleep(probeTimeoutMs, undefined, { ref: false }).then(() => {
          throw new StoreUnavailable('the store isn’t responding.')
        }),
      ])
    } catch (error) {
      raiseAlert(error)
      if (error instanceof StoreUnavailable) return failed(error)
      throw error
    }
    if (tick() - captureFailedAt < IGNORE_PROBES_MS) raiseAlert(captureError)
    return tick() - captureFailedAt < NOT_READY_MS ? failed(captureError) : { status: 'ready' }
  }

  return {
    shown,
    /** The language of a consent that this server's pages have shown; null if that was before it was started. */
    languageOf(consentVersion: string): string | null {
      shown()
      return languages.get(consentVersion) ?? null
    },
    async open(opened: IntakeStore): Promise<void> {
      store = opened
      readingVersions = readVersions()
      try {
        await readingVersions
      } catch (error) {
        store = null
        throw error
      }
      probedAt = never
    },
    upgrading(): void {
      opening = { status: 'upgrading' }
      probedAt = never
    },
    /** The store can't be opened, at least not yet. */
    failedToOpen(error: unknown): void {
      // The alert waits for a while, but the log says at once what's wrong.
      const reason = reasonOf(error)
      const isExpected = error instanceof StoreUnavailable || error instanceof StoreUnusable
      if (reason !== reasonOf(openError)) log('store_unopened', { reason, ...(!isExpected && describeError(error)) })
      openError = error
      opening = error instanceof UpgradeWaits ? { status: 'upgrading', reason } : failed(error)
      probedAt = never
      alertIfNotOpen()
    },
    capture,
    /** For everything but captures. Throws until the store is open. */
    store: openStore,
    isKnown,
    /** Performs a test write. */
    readiness(): Promise<Readiness> {
      if (tick() - probedAt >= PROBE_REUSE_MS) {
        probedAt = tick()
        probing = probe()
      }
      return Promise.race([probing, sleep(PROBE_WAIT_MS, NOT_RESPONDING, { ref: false })])
    },
  }
}
