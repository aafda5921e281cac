/**
 * Trouble that a person should know of. Whoever meets with it raises it, as often as they like, and clears it when it is
 * over; what is told, when and how often, is decided here. Neither ever waits or fails: no lead pays for an alert.
 */
import { randomUUID } from 'node:crypto'
import type { Detail, Log } from '../log.ts'
import { type AlertCode, kindOf } from './alert-kinds.ts'

export interface Alerts {
  /** In plain words, for whoever reads it on a phone: what is wrong, and what to do. Counts only, never personal data. */
  raise(code: AlertCode, text: string, more?: { readonly detail?: Detail; readonly worse?: boolean }): void
  clear(code: AlertCode, detail?: Detail): void
}

/** One alert from its beginning to its end. */
export interface Alert {
  readonly id: string
  readonly code: AlertCode
  readonly text: string
  readonly startedAt: number
  /** Null while it stands. */
  readonly endedAt: number | null
}

/** Hears of everything that may have to be told elsewhere than in the log. */
export interface AlertListener {
  changed(alert: Alert, worse: boolean): void
  /** Nothing of this kind is wrong, whether or not this process ever thought so. */
  fine(code: AlertCode): void
}

export interface AlertOptions {
  readonly log: Log
  readonly now?: () => number
  /** Of a clock that never goes back. */
  readonly tick?: () => number
  readonly listener?: AlertListener
}

interface Standing extends Alert {
  readonly raisedTick: number
  readonly loggedTick: number
}

/** What goes on for long is said again, since a log is read from its end. */
const LOG_AGAIN_MS = 60 * 60_000

export function createAlerts({
  log,
  now = Date.now,
  tick = () => performance.now(),
  listener,
}: AlertOptions): Alerts & { endWhatIsQuiet(): void } {
  const standing = new Map<AlertCode, Standing>()

  function clear(code: AlertCode, detail: Detail = {}): void {
    const alert = standing.get(code)
    standing.delete(code)
    if (alert) {
      log(kindOf(code).over, detail)
      listener?.changed({ ...alert, endedAt: now() }, false)
    } else listener?.fine(code)
  }

  return {
    raise(code, text, { detail = {}, worse = false } = {}) {
      const known = standing.get(code)
      const isSaid = known && !worse && tick() - known.loggedTick < LOG_AGAIN_MS
      const alert = { id: known?.id ?? randomUUID(), code, text, startedAt: known?.startedAt ?? now(), endedAt: null }
      standing.set(code, { ...alert, raisedTick: tick(), loggedTick: isSaid ? known.loggedTick : tick() })
      if (!isSaid) log(code, { level: 'alert', ...detail })
      listener?.changed(alert, worse && known !== undefined)
    },
    clear,
    endWhatIsQuiet() {
      for (const { code, raisedTick } of standing.values()) {
        const { endsAfterMs } = kindOf(code)
        if (endsAfterMs !== undefined && tick() - raisedTick >= endsAfterMs) clear(code)
      }
    },
  }
}
