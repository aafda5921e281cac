/** Routes for people who call us and never sent the form: what to read to them, and adding one of them. */
import { Hono } from 'hono'
import * as v from 'valibot'
import { type CallLanguage, callLanguages } from '../../../domain/calling/list.ts'
import type { ContactField } from '../../../domain/contact/contact-fields.ts'
import { phoneDigits } from '../../../domain/contact/phone.ts'
import { MOST_REMOVALS_A_DAY, removalNotice } from '../../../domain/do-not-call/do-not-call.ts'
import { ENGLISH } from '../../../domain/languages.ts'
import { questionnaireAsPresented, spokenConsentAsPresented } from '../../../domain/leads/as-presented.ts'
import { type Contact, errorMessages } from '../../../domain/leads/lead.ts'
import { OUR_CALL_PAGE, PHONE_PAGE, parsePhoneContact } from '../../../domain/leads/phone-lead.ts'
import { roleAllows } from '../../../domain/roles.ts'
import { takesSpokenConsent } from '../../../server/delivery/webhook.ts'
import { type CallCopy, copyIn } from '../../../server/http/site-manifest.ts'
import { createCalendar } from '../../../server/settings/calendar.ts'
import { webhookOf } from '../../../server/settings/config.ts'
import type { DeskPerson } from '../../../server/store/facts/desk-people.ts'
import { type DoNotCallEntry, entriesOf } from '../../../server/store/facts/do-not-call/stops.ts'
import type { ReplacementFacts } from '../../../server/store/operations/leads/replacements.ts'
import { MAX_NOTE_LENGTH } from '../../limits.ts'
import { ApiError } from '../api-error.ts'
import { id, text } from '../fields.ts'
import { jsonBody } from '../request-body.ts'
import type { DeskRequest, DeskServices } from '../services.ts'
import type { RouteServices } from '../views.ts'
import type { IncomingNumbers } from './incoming.ts'

const field = text(300)
const personBody = v.object({
  firstName: field,
  lastName: field,
  phone: field,
  language: v.picklist(callLanguages),
  email: v.optional(field, ''),
  /** Such as 1970-06-03. */
  dateOfBirth: v.optional(field, ''),
  note: v.optional(text(MAX_NOTE_LENGTH), ''),
  /** By question. Questions that are missing weren't asked. */
  answers: v.record(id, v.picklist(['yes', 'no'])),
  /** The person said yes to the sentence. Otherwise, no one is added. */
  saidYes: v.literal(true),
  /** The lead from whose page we called. Without it, they called us. */
  answered: v.exactOptional(id),
  /** The person asked to be taken off the do-not-call list. */
  allow: v.exactOptional(v.boolean()),
})

/** What there is to know about a request that was made on the phone, after a yes to the sentence in this language. */
export async function spokenRequest(
  { config, store, site }: Pick<DeskServices, 'config' | 'store' | 'site'>,
  language: CallLanguage,
  consentTakenBy: string,
): Promise<ReplacementFacts> {
  const { en, [language]: read } = site().copy.calls
  if (read.words.spokenConsent === '') throw new ApiError('conflict', NO_SENTENCE)
  const consent = spokenConsentAsPresented(read.words.spokenConsent, language, en.words.spokenConsent || undefined)
  const consentVersion = await store.saveConsentText(consent)
  if (read.isReviewedWithEnglish) await store.recordReviewedTranslation(consentVersion)
  const webhook = webhookOf(config)
  return {
    clientAddress: '',
    userAgent: '',
    certificate: { kind: 'none' },
    trustedForm: 'off',
    consentVersion,
    consentTakenBy,
    holdReason: null,
    deliver: webhook !== null && takesSpokenConsent(webhook),
    withheld: webhook !== null && !takesSpokenConsent(webhook),
    announceRepeat: config.webhookRepeats,
    callFromDesk: config.callList,
  }
}

const NO_SENTENCE =
  'The sentence to read out was edited, and no lawyer has reviewed that. Until then, ask them to send the form on the website. An editor sees more under Setup.'

const NOT_CALLING =
  'To take this number off the do-not-call list, press “Someone called us” and enter it. Otherwise, an editor can do it.'

const TOO_MANY = `Saved and on hold. You took ${MOST_REMOVALS_A_DAY} numbers off the do-not-call list today, so this one stays on it until an editor decides.`
/** For the editor who reviews the lead. */
const ASKED_FOR_CALLS = 'On the phone, they asked to be taken off the do-not-call list.'

type Added =
  | { readonly kind: 'invalid'; readonly errors: Partial<Record<ContactField, string>> }
  | { readonly kind: 'on the list'; readonly stops: readonly ReturnType<ReturnType<typeof stopLine>>[] }
  /** `notice`: what's left to do, because they're off the do-not-call list. */
  | { readonly kind: 'added'; readonly leadId: string; readonly notice: string | null }

export function createPhonePeopleRoutes({ config, store, site, now, hours }: RouteServices, numbers: IncomingNumbers) {
  const calendar = createCalendar(config.timeZone)

  async function add(given: v.InferOutput<typeof personBody>, person: DeskPerson): Promise<Added> {
    const { language, answers, note, answered, allow = false } = given
    const parsed = parsePhoneContact(given, Number(calendar.dateOf(now()).slice(0, 4)))
    if (!parsed.valid)
      return { kind: 'invalid', errors: errorMessages(parsed.errors, copyIn(site().copy, ENGLISH).contactMessages) }
    const { contact } = parsed
    const dialed = answered === undefined ? null : await phoneOfCall(answered, person)
    if (dialed !== null && dialed !== phoneDigits(contact.phone))
      return { kind: 'invalid', errors: { phone: 'This isn’t the number that you called. Correct it later.' } }
    // Without a call from there, taking someone off the list is for editors.
    if (allow && !numbers.isCalling(person.id, contact.phone)) throw new ApiError('conflict', NOT_CALLING)
    const stops = (await store.stopsOfContacts(contact)).map(stopLine(contact))
    const isRemovable = allow && stops.every(({ isNumber }) => isNumber)
    if (stops.length > 0 && !isRemovable) return { kind: 'on the list', stops }
    // If they can't be taken off, their lead is on hold until an editor decides.
    const removed = stops.length > 0 ? await takeOffList(contact.phone, person) : { crm: null }

    const { en, [language]: read } = site().copy.calls
    const asked = questionnaireAsPresented(read.questionnaire, language, en.questionnaire, answers)
    const { id: leadId, state } = await store.capture({
      contact,
      page: dialed === null ? PHONE_PAGE : OUR_CALL_PAGE,
      campaign: {},
      variant: '',
      questionnaireVersion: await store.saveQuestionnaire(asked),
      language,
      ...(await spokenRequest({ config, store, site }, language, person.name)),
    })
    // A repeat's number has a story, too.
    const open = state === 'repeat' ? ((await store.find(leadId))?.repeatOf ?? leadId) : leadId
    // On a call of ours, what they say is an outcome of that call.
    if (dialed === null)
      await store.takeCall({ leadId: open, person: { id: person.id, name: person.name }, hours: hours() })
    for (const text of [note, removed ? '' : ASKED_FOR_CALLS])
      if (text !== '') await store.addNote({ leadId: open, by: person.name, text })
    return { kind: 'added', leadId: open, notice: removed ? removalNotice(removed.crm, person.role) : TOO_MANY }
  }

  /** The number of a call of ours that this agent hasn't saved. */
  async function phoneOfCall(leadId: string, { id: personId }: DeskPerson): Promise<string> {
    const { whose } = (await store.callState({ leadId, personId, hours: hours() })) ?? {}
    const isOurs = whose?.kind === 'open' || (whose?.kind === 'started' && !whose.call.incoming)
    const lead = isOurs ? await store.find(leadId) : null
    if (!lead?.phone) throw new ApiError('conflict', 'You no longer have this call open.')
    return phoneDigits(lead.phone)
  }

  /** Recorded as their own request. Null if this agent took as many off today as one may. */
  async function takeOffList(phone: string, { name: by, role }: DeskPerson) {
    const today = calendar.dateOf(await store.storeTime())
    const request = { askedBy: 'person', askedOn: today } as const
    const most = roleAllows(role, 'editor') ? Number.MAX_SAFE_INTEGER : MOST_REMOVALS_A_DAY
    return store.removeCaller({ phone, by, request, most, since: calendar.startOf(today) })
  }

  return new Hono<DeskRequest>()
    .get('/words', context => {
      const { en, es } = site().copy.calls
      const about = { site: config.publicHostname, today: calendar.dateOf(now()) }
      return context.json({ en: wordsOf(en, about), es: wordsOf(es, about) })
    })
    .post('/', jsonBody(personBody), async context =>
      context.json(await add(context.req.valid('json'), context.get('person'))),
    )
}

/** Only the number that is calling comes off. The rest is the address that was typed, or one of another lead with the number. */
function stopLine(contact: Contact) {
  const [email, phone] = entriesOf(contact)
  return ({ entry, at, by }: DoNotCallEntry) => ({ at, by, isNumber: entry === phone, isTyped: entry === email })
}

/** `site`: where people sent the form. */
interface CallFacts {
  readonly site: string | null
  readonly today: string
}

/** What the agent says and reads out. */
export function wordsOf({ words, figures, questionnaire }: CallCopy, { site, today }: CallFacts) {
  const { ourWebsite, ...said } = words
  const questions = questionnaire.questions.map(({ id, text }) => ({ id, text }))
  const figuresToday = Object.fromEntries(
    Object.entries(figures).map(([name, { text, until, expired }]) => [
      name,
      until !== null && until < today ? (expired ?? text) : text,
    ]),
  )
  return { ...said, figures: figuresToday, questions, site: site ?? ourWebsite }
}
