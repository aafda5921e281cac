/** The Setup page, for editors: the launch checklist and the current settings. */
import { Hono } from 'hono'
import {
  expiringOn,
  expiryNotice,
  groupOf,
  idOf,
  isKnown,
  type LaunchPoint,
  openOn,
  sentenceOf,
} from '../../domain/launch/findings.ts'
import { settingFindings } from '../../domain/launch/settings.ts'
import { launchSettings } from '../../server/alerts/launch-watch.ts'
import type { LaunchNotes } from '../../server/http/site-manifest.ts'
import { type Config, currentSettings } from '../../server/settings/config.ts'
import type { DeskRequest, DeskServices } from './services.ts'

export function createSetupRoutes({ config, site, now }: DeskServices) {
  return new Hono<DeskRequest>().get('/', context =>
    context.json({
      /** Secrets show only whether they're set. */
      settings: currentSettings(config),
      launch: launchPoints(site().launch, config, now()),
    }),
  )
}

export function launchPoints(notes: LaunchNotes, config: Config, at: number) {
  const points = [...notes.points, ...settingFindings(launchSettings(config))].filter(
    point => !notes.justified.includes(idOf(point)),
  )
  const today = new Date(at).toISOString().slice(0, 10)
  return {
    open: openOn(points, today).map(point => describePoint(point, sentenceOf)),
    soon: expiringOn(points, today).map(point => describePoint(point, expiryNotice)),
  }
}

const describePoint = (point: LaunchPoint, sentence: (point: LaunchPoint) => string) => ({
  code: point.code,
  /** Who can do something about it. */
  group: groupOf(point),
  words: plainWords[point.code]?.(point) ?? (canDescribe(point) ? sentence(point) : `${point.code}: ${point.subject}`),
})

/** For people without a terminal: without the names of files and settings that the launch check gives the operator. */
const plainWords: Readonly<Partial<Record<string, (point: LaunchPoint) => string>>> = {
  scarcity_without_evidence: ({ detail }) =>
    `No evidence is on record for “${detail}”. Find a source, or remove the claim: false scarcity is deceptive (15 USC 45).`,
  claim_without_basis: ({ detail }) =>
    `No evidence is on record for “${detail}”. Find it, or remove the claim (15 USC 45).`,
  unlisted_claim: ({ detail }) => `This claim isn’t on the list of claims with evidence: ${detail} (15 USC 45).`,
  calling_hours_unreviewed: () =>
    'Have your lawyer check the calling hours. No review is on record, and a call at the wrong time can lead to claims (47 CFR 64.1200(c)).',
  language_not_reviewed: ({ subject }) =>
    `No lawyer has reviewed the pages and the consent in ${subject}. Disclosures must be right in the language of the page (16 CFR 14.9(a)).`,
  language_without_stop_word: ({ subject }) =>
    `Does your texting service honor a stop word in ${subject}, such as ALTO? People can withdraw consent in any reasonable way (47 CFR 64.1200(a)(10)).`,
  protected_name: ({ subject, detail }) =>
    `Words that the Social Security Act protects are in your ${subject} (${detail}). Have your lawyer decide (42 USC 1320b-10).`,
  legal_rule_overdue: ({ subject }) => `A legal rule is due for review by your lawyer: ${subject}.`,
  legal_draft: () => 'A legal page is missing or still a draft. Complete it with your lawyer.',
  figure_differs: ({ subject, detail }) => `A figure differs between languages: ${subject} (${detail}).`,
  unlisted_figure: ({ detail }) => `This figure isn’t on the list of figures with a source: ${detail}.`,
  language_without_staff: ({ subject }) =>
    `Does someone answer in ${subject}? The pages invite people to call. If not, have your lawyer record why that’s fine.`,
  temporary_store: () => 'Leads would be lost on restart: they’re stored on a temporary disk.',
  no_webhook: () => 'Leads are stored, but no one receives them: there’s no CRM, and calling from the desk is off.',
  webhook_unencrypted: () => 'Names and phone numbers are sent unencrypted, to an address without https.',
  leads_bypass_record: () =>
    'Leads go straight to another address, so consent isn’t recorded here. The Telemarketing Sales Rule requires that record (16 CFR 310.5).',
  no_public_address: () => 'The website has no public https address yet.',
  example_address: () => 'An example address is still in use.',
  no_trusted_proxy: () => 'All visitors appear to have the same address, so their leads may be put on hold.',
  proxy_trusts_everybody: () => 'Visitors can fake their address and get around the limits.',
  trusted_form_off: () =>
    'TrustedForm is off, so only your own record shows what a visitor saw and agreed to. Turn it on, or have your lawyer record why not.',
  no_alert_address: () => 'No one is notified when something breaks: leads refused, backups failing, deliveries stuck.',
  no_time_zone: () => 'The office’s time zone isn’t set, so days and times follow the server’s clock.',
}

/** A site built by an older version may have findings that this version can't describe. */
function canDescribe(point: LaunchPoint): boolean {
  if (!isKnown(point)) return false
  const needsDetail = sentenceOf({ ...point, detail: 'a' }) !== sentenceOf({ ...point, detail: 'b' })
  return point.detail !== undefined || !needsDetail
}
