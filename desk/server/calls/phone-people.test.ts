/** People who called us and never sent the form: spoken consent, the six questions, and the do-not-call list. */

import { describe, expect, test } from 'vitest'
import { addDays } from '../../../domain/dates.ts'
import { DAY } from '../../../domain/durations.ts'
import { data } from '../../../site-folder/data.ts'
import { callWords } from '../../../site-folder/site.ts'
import { createTestDesk } from '../../../tests/support/desk.ts'
import { bodyOf, type DeskHarness, deskPerTest, refusalOf } from '../../../tests/support/desk-harness.ts'
import { contactOf } from '../../../tests/support/lead-store.ts'
import { siteCopy } from '../../../tests/support/site-copy.ts'
import { engines } from '../../../tests/support/store-engines.ts'
import type { TodayCalls } from '../../browser/client.ts'
import { recordPath } from '../../limits.ts'
import { wordsOf } from './phone-people.ts'

const mary = {
  firstName: 'Mary',
  lastName: 'Ortiz',
  phone: '808 555 0101',
  language: 'es',
  saidYes: true,
  answers: { hasAttorney: 'no', receivesSsdi: 'yes' },
} as const

interface Answer {
  readonly kind: string
  readonly leadId: string
  readonly notice: string | null
}

const harness = {} as DeskHarness
const send = (person: object, client = harness.maria) => client.fetch('/api/calls/people', { body: person })
const add = (person: object, client = harness.maria) => bodyOf<Answer>(send(person, client))
const enter = (phone: string, client = harness.maria) => client.fetch('/api/calls/incoming/number', { body: { phone } })

describe('a person on the phone', () => {
  deskPerTest(undefined, harness)

  test('needs names, a number, and a yes', async () => {
    const unnamed = { ...mary, firstName: ' ', phone: '555', email: 'no', dateOfBirth: '1850-01-01' }
    expect(await add(unnamed)).toEqual({
      kind: 'invalid',
      errors: {
        firstName: 'First name is required',
        phone: 'Please enter a valid 10-digit phone number',
        email: 'Email is invalid',
        dateOfBirth: 'You must be at least 18 years old',
      },
    })
    const { saidYes: _, ...silent } = mary
    expect((await harness.maria.fetch('/api/calls/people', { body: silent })).status).toBe(400)
    expect(await harness.store.count({})).toBe(0)
  })

  test('can’t be added while no reviewed sentence is there to read out', async () => {
    const { es, ...calls } = siteCopy.calls
    const unknown = { ...es, words: { ...es.words, spokenConsent: '' } }
    const copy = { ...siteCopy, calls: { ...calls, es: unknown } }
    const desk = createTestDesk(harness.store, { copy })
    const maria = await desk.signedIn('Maria Two')
    expect(await refusalOf(send(mary, maria))).toEqual([409, expect.stringContaining('no lawyer has reviewed that')])
    expect(await harness.store.count({})).toBe(0)
    expect((await send({ ...mary, language: 'en' }, maria)).status).toBe(200)
  })

  test('is taken off the do-not-call list only if they ask, and only the number that is calling', async () => {
    await harness.store.addToDoNotCall({ contacts: [{ phone: mary.phone }], by: 'Ana' })
    expect(await add(mary)).toMatchObject({ kind: 'on the list', stops: [{ by: 'Ana', isNumber: true }] })
    expect(await harness.store.count({})).toBe(0)
    const allowing = { ...mary, allow: true }
    expect(await refusalOf(send(allowing))).toEqual([409, expect.stringContaining('Someone called us')])
    const joe = await harness.desk.signedIn('Joe', 'agent')
    for (const entered of [enter(mary.phone, joe), enter('8085550199')]) expect((await entered).status).toBe(200)
    expect((await send(allowing)).status).toBe(409)
    await enter(mary.phone)
    // An address on the list stays, no matter whose it is, and so does the number until the agent leaves it out.
    await harness.store.addToDoNotCall({ contacts: [{ email: 'mary@example.org' }], by: 'Ana' })
    const withAddress = { ...allowing, email: 'Mary@example.org' }
    const stops = [{ isNumber: true }, { isNumber: false, isTyped: true }]
    expect(await add(withAddress)).toMatchObject({ kind: 'on the list', stops })
    expect(await harness.store.doNotCallList({ after: '', limit: 9 })).toHaveLength(2)
    const { leadId } = await add(allowing)
    expect(await harness.store.doNotCallEvents([leadId])).toMatchObject([
      { event: 'added' },
      { event: 'removed', by: 'Maria Lopez', askedBy: 'person' },
    ])
    await harness.capture('ada', { contact: { ...mary, email: 'juan@example.org', dateOfBirth: '1970-01-01' } })
    await harness.store.addToDoNotCall({ contacts: [{ email: 'juan@example.org' }], by: 'Ana' })
    const others = [{ isNumber: false, isTyped: false }]
    expect(await add({ ...mary, firstName: 'Ann', allow: true })).toMatchObject({ kind: 'on the list', stops: others })
  })

  test('stays on the do-not-call list if the agent took five numbers off today: an editor is asked', async () => {
    const joe = await harness.desk.signedIn('Joe', 'agent')
    const ask = async (index: number, client = joe) => {
      const phone = `808555010${index}`
      await harness.store.addToDoNotCall({ contacts: [{ phone }], by: 'website', source: 'web' })
      await enter(phone, client)
      const person = { ...mary, firstName: `Mary${'abcdefgh'[index]}`, phone, allow: true, note: 'Mornings' }
      const { leadId, notice } = await add(person, client)
      const { state, heldReason } = (await harness.store.find(leadId)) ?? {}
      return { leadId, notice, state, heldReason }
    }
    // Undo of one's own stop doesn't count.
    const stop = await bodyOf<{ requestId: string }>(joe.fetch('/api/do-not-call', { body: { contact: '2125550188' } }))
    await joe.fetch('/api/do-not-call/undo', { body: { requestId: stop.requestId } })
    for (let index = 0; index < 5; index++) expect(await ask(index)).toMatchObject({ state: 'accepted', notice: null })
    const sixth = await ask(5)
    expect(sixth).toMatchObject({ state: 'held', heldReason: 'on the do-not-call list' })
    expect(sixth.notice).toContain('until an editor decides')
    expect((await harness.store.notesOf(sixth.leadId)).map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Mornings', 'On the phone, they asked to be taken off the do-not-call list.']),
    )
    expect(await harness.store.doNotCallList({ after: '', limit: 9 })).toMatchObject([{ contact: '8085550105' }])
    expect(await ask(6, harness.maria)).toMatchObject({ state: 'accepted' })
  })

  test('can ask to be called again if an agent took the call on their page', async () => {
    const { leadId } = await add(mary)
    await harness.store.addToDoNotCall({ contacts: [{ phone: mary.phone }], by: 'Ana' })
    expect((await send({ ...mary, allow: true })).status).toBe(409)
    await harness.maria.fetch('/api/calls/incoming', { body: { leadId } })
    expect(await add({ ...mary, allow: true })).toMatchObject({ kind: 'added' })
  })

  test('who answered a call of ours to someone else is added on that call, and what they say is saved and undone with it', async () => {
    const { capture, maria, store } = harness
    const wanda = await capture('wanda', { contact: { ...contactOf('wanda'), phone: '(808) 555-0101' } })
    const call = (path: string, body: object = {}) => maria.fetch(`/api/calls/${wanda}/${path}`, { body })
    const answering = { ...mary, answered: wanda }
    expect(await refusalOf(send(answering))).toEqual([409, 'You no longer have this call open.'])
    await bodyOf(call('start', { overrideReason: 'asked by email' }))
    expect(await add({ ...answering, phone: '808 555 0199' })).toMatchObject({ kind: 'invalid' })
    const { leadId } = await add(answering)
    const lead = await store.find(leadId)
    expect(lead).toMatchObject({ page: 'call', consentTakenBy: 'Maria Lopez' })
    const record = (await (await maria.fetch(recordPath(leadId))).text()).replaceAll(/<[^>]+>/g, '')
    expect(record).toContain('spoken, on a call made by Maria Lopez')
    const outcomes = [
      { outcome: 'someone else', leads: [wanda] },
      { outcome: 'going ahead', leads: [leadId] },
    ]
    const { callId } = await bodyOf<{ callId: string }>(call('outcome', { outcomes }))
    const logged = async () =>
      (await store.callLog(wanda)).map(({ outcome, incoming, leads }) => [outcome, incoming, leads])
    const saved = [
      ['someone else', false, [wanda]],
      ['going ahead', false, [leadId]],
    ]
    expect((await logged()).toSorted().reverse()).toEqual(saved)
    await bodyOf(maria.fetch('/api/calls/undo', { body: { callId } }))
    expect((await logged()).filter(([outcome]) => outcome === 'undone')).toHaveLength(2)
    expect((await store.find(leadId))?.state).toBe('accepted')
    // One call, not two, and none that came in.
    const { calls, incoming } = await bodyOf<TodayCalls>(maria.fetch('/api/today/calls?period=today'))
    expect([calls, incoming]).toEqual([1, 0])
  })

  test('goes to a webhook that can’t tell spoken consent only if the operator says so', async () => {
    const delivery = async (phone: string, env: Readonly<Record<string, string>>) => {
      const desk = createTestDesk(harness.store, { env: { LEAD_WEBHOOK_URL: 'http://x', CALL_LIST: 'on', ...env } })
      const { leadId } = await add({ ...mary, phone }, await desk.signedIn(phone))
      return (await harness.store.find(leadId))?.delivery?.state ?? null
    }
    expect(await delivery('8085550102', {})).toBe(null)
    expect(await delivery('8085550103', { LEAD_WEBHOOK_SPOKEN: 'on' })).toBe('pending')
    expect(await delivery('8085550104', { LEAD_WEBHOOK_FORMAT: 'json' })).toBe('pending')
    expect(await harness.store.unqueuedLeads()).toBe(0)
  })
})

describe.each(engines)('a person on the phone, on $name', engine => {
  deskPerTest(engine, harness)

  test('is added with spoken consent, their answers, and what wasn’t asked', async () => {
    const luis = await harness.desk.signedIn('Luis', 'agent')
    const { kind, leadId } = await add({ ...mary, note: 'Prefers mornings' }, luis)
    expect(kind).toBe('added')
    const found = await harness.store.find(leadId)
    expect(found).toMatchObject({
      firstName: 'Mary',
      phone: '(808) 555-0101',
      email: '',
      dateOfBirth: '',
      page: 'phone',
      language: 'es',
      state: 'accepted',
      consentTakenBy: 'Luis',
    })
    expect(JSON.parse(found?.consentPresented ?? '')).toEqual({
      spoken: true,
      language: 'es',
      text: callWords.es.spokenConsent,
      english: { text: callWords.en.spokenConsent },
    })
    const { questions } = JSON.parse(found?.questionnairePresented ?? '') as { questions: { answer: string }[] }
    const answers = ['not asked', 'not asked', 'yes', 'not asked', 'no', 'not asked']
    expect(questions.map(({ answer }) => answer)).toEqual(answers)
    expect(await harness.store.notesOf(leadId)).toMatchObject([{ by: 'Luis', text: 'Prefers mornings' }])
    const record = await (await harness.maria.fetch(recordPath(leadId))).text()
    expect(record).toContain('spoken, on a call taken by <bdi>Luis</bdi>: no automated calls, texts, or AI voice')
    expect(record).toContain('Not asked')
    const state = await bodyOf<{ spokenUntil: number }>(luis.fetch(`/api/calls/${leadId}`))
    expect(state.spokenUntil).toBe((found?.receivedAt ?? 0) + 89 * DAY)
  })
})

test('a figure is read out until its last valid day, then what the folder says instead', () => {
  const until = data.figures['feeCap']?.until ?? ''
  const said = (today: string) => wordsOf(siteCopy.calls.en, { site: null, today }).figures['feeCap']
  expect([said(until), said(addDays(until, 1))]).toEqual(['$7,200', 'the limit that the law sets'])
  const { answers } = wordsOf(siteCopy.calls.en, { site: null, today: until })
  expect(answers.find(({ id }) => id === 'cost')?.answer).toContain('{feeCap}')
})
