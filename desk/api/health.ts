/** How the service stands: what is set, what is wrong, what grows, and the few switches that belong here. */

import type { AlertRecord } from '../../server/store/alerts.ts'
import type { DeliveryPause } from '../../server/store/delivery-pause.ts'
import type { Pulse } from '../../server/store/pulse.ts'

/** `GET /api/health` */
export interface HealthAnswer {
  /** As they are in force for the desk, which reads them as the server does. Secrets are told of, never shown. */
  readonly settings: readonly SettingInForce[]
  /** What stands between the site and the public, the worst first; null when the site was never built here. */
  readonly launch: { readonly open: readonly LaunchOpenPoint[]; readonly soon: readonly LaunchOpenPoint[] } | null
  /** Those that stand, and those of the last 7 days that have ended; the newest first. */
  readonly alerts: { readonly standing: readonly AlertRecord[]; readonly ended: readonly AlertRecord[] }
  readonly store: StoreFigures
  readonly deliveries: {
    readonly pause: DeliveryPause | null
    readonly waiting: number
    readonly dead: number
    /** Where leads go: the name alone, since the path is often a secret; null without a webhook. */
    readonly webhook: string | null
  }
  /** The last one that `leads backup` made; null when none is known. */
  readonly backup: { readonly madeAt: number; readonly leads: number } | null
}

export interface SettingInForce {
  readonly name: string
  readonly value: string
}

export interface LaunchOpenPoint {
  /** A name for machines: `npm run launch-check` explains it, and says which line to change. */
  readonly code: string
  readonly words: string
  /** The day from which it holds, such as 2027-01-01; null when it holds now. */
  readonly from: string | null
}

export interface StoreFigures {
  readonly engine: 'SQLite' | 'PostgreSQL'
  readonly bytes: number
  readonly leads: number
  readonly leadsLast7Days: number
  readonly leadsLast30Days: number
  /** What as many leads as came in the last 30 days take up; null without any. */
  readonly bytesPerMonth: number | null
  /** Left on the disk of the embedded store; null for a database elsewhere. */
  readonly freeBytes: number | null
}

/** `POST /api/health/pause`, for those who act; answers with a HealthAnswer, as does `POST /api/health/resume` with `{}`. */
export interface PauseRequest {
  /** Why, for whoever wonders later: 200 characters at most, empty for none. */
  readonly reason: string
}

/** `POST /api/health/test-lead` with `{}`, for those who act: sends a made-up lead to the webhook. Nothing is stored. */
export interface TestLeadAnswer {
  readonly delivered: boolean
  /** What came back, in words, with what it would mean for a lead. */
  readonly words: string
  readonly status: number | null
  readonly durationMs: number
}

/** `GET /api/pulse`: polled by every open page. */
export type PulseAnswer = Pulse
