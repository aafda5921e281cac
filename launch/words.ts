/** Each finding in a sentence or two: what is wrong, and why it matters. */
import { dayAfter, type LaunchCode, type LaunchPoint } from '../domain/launch/finding.ts'

type Sentence = (finding: LaunchPoint) => string

const [figure, note] = [0, 1].map(
  line =>
    ({ detail = '' }: LaunchPoint) =>
      detail.split('\n')[line] ?? '',
) as [Sentence, Sentence]

const sentences: Readonly<Record<LaunchCode, Sentence>> = {
  sample_testimonial: ({ subject }) =>
    `The testimonial of ${subject} is a sample. Showing a testimonial that nobody gave is unlawful (16 CFR 465.2).`,
  testimonial_without_permission: ({ subject }) =>
    `No permission of ${subject} is on record: note when it was given and where it is kept, to show that the testimonial is real (16 CFR 465.2).`,
  unlisted_testimonial: ({ subject, detail }) =>
    `${subject} quotes “${detail}”, which is not in content/testimonials.ts: nobody can say who said it.`,
  affiliation_notice_missing: ({ subject }) =>
    `${subject} does not say that the site is not affiliated with the Social Security Administration or any government agency (42 USC 1320b-10).`,
  affiliation_notice_illegible: ({ subject, detail }) =>
    `The notice on ${subject} that the site is not the government’s is hard to read: ${detail} (42 USC 1320b-10).`,
  advertorial_label_missing: ({ subject }) =>
    `${subject} reads like an article and does not begin with the label that it is an advertisement (15 USC 45; FTC policy, 81 FR 22596).`,
  advertorial_label_illegible: ({ subject, detail }) =>
    `The label on ${subject} that it is an advertisement is hard to read: ${detail} (FTC policy, 81 FR 22596).`,
  consent_missing: ({ subject }) =>
    `The form on ${subject} asks for a phone number without a text of consent (47 CFR 64.1200(a)(2)).`,
  consent_without_seller: () =>
    'The consent does not name the organization that may call: consent given to nobody is none (47 CFR 64.1200(f)(9)).',
  consent_without_opt_out: () =>
    'The consent does not say how to opt out: name STOP and that it can be taken back (47 CFR 64.1200(a)(10)).',
  consent_without_no_purchase: () =>
    'The consent does not say that it is no condition of getting any good or service (47 CFR 64.1200(f)(9)(i)(B)).',
  scarcity_without_evidence: ({ detail }) =>
    `“${detail}” needs a figure in content/figures.ts with a source and the day until which it is true. A shortage that is not there deceives people (15 USC 45).`,
  claim_without_basis: ({ detail }) =>
    `“${detail}” has no named basis. Write in content/claims.ts what shows that it is true, or take it out (15 USC 45).`,
  unlisted_claim: ({ detail }) =>
    `${detail} is a claim that content/claims.ts does not list: nobody has named its basis (15 USC 45).`,
  figure_expired: finding =>
    finding.from === undefined
      ? `The last day of the figure ${finding.subject} (${figure(finding)}) cannot be read. Write it as in 2026-12-31.`
      : `The figure ${finding.subject} (${figure(finding)}) held only until ${dayAfter(finding.from, -1)}. ${note(finding)}`,
  figure_not_yet_true: finding =>
    `The figure ${finding.subject} (${figure(finding)}) is true only from ${dayAfter(finding.to ?? '')} on.`,
  figure_without_source: finding =>
    `The figure ${finding.subject} (${figure(finding)}) has no source: nobody can show that it is true. ${note(finding)}`,
  temporary_store: ({ detail }) => `Leads would be lost: ${detail}. Set DATA_DIR to a folder on a lasting disk.`,
  no_webhook: () => 'Leads are kept, and nobody hears of them: LEAD_WEBHOOK_URL is not set.',
  webhook_unencrypted: ({ subject }) =>
    `${subject} is http: names and phone numbers would travel for everybody to read.`,
  leads_bypass_record: () =>
    'Browsers send leads straight to another address: no consent is recorded here, which the Telemarketing Sales Rule asks for (16 CFR 310.5).',
  no_public_address: ({ detail }) =>
    `The site has no public https address: canonical links and the sitemap lead to ${detail}.`,
  example_address: ({ subject, detail }) =>
    `${subject} is still the address of the example, ${detail}, which nobody has: nothing arrives there.`,
  site_out_of_date: ({ detail }) => `${detail} Run npm run build.`,
  no_trusted_proxy: () =>
    'This server speaks http, so a proxy for https stands in front of it. Without TRUST_PROXY all visitors seem to be one, and their leads are held.',
  proxy_trusts_everybody: () =>
    'TRUST_PROXY believes everybody: any visitor can pretend to come from any address, and the limits mean nothing.',
  trusted_form_off: ({ detail }) =>
    `TRUSTEDFORM is ${detail}: there is no independent record of what a visitor saw and agreed to.`,
  no_alert_address: () => 'Nobody hears when leads do not arrive: ALERT_WEBHOOK_URL is not set.',
  legal_draft: ({ subject }) =>
    `${subject} is a draft or missing, and so it is not published. Complete it with your lawyer.`,
  placeholder_text: ({ subject, detail }) => `${subject} shows “${detail}”, which was to be filled in.`,
  dead_link: ({ subject, detail }) => `The link to ${subject} leads nowhere: ${detail}.`,
  phone_link_differs: ({ subject, detail }) => `The link “${subject}” dials another number: ${detail}.`,
  link_without_destination: ({ subject }) => `The link “${subject}” has no destination.`,
}

export const sentenceOf = (finding: LaunchPoint) => sentences[finding.code](finding).trim()
