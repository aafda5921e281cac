/** The desk's leads API, called the way its pages call it. */
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test, vi } from 'vitest'
import { campaignKey } from '../../../domain/campaigns/campaign.ts'
import { doneBy } from '../../../domain/events/lead-events.ts'
import { bodyOf, type DeskHarness, deskPerTest, refusalOf } from '../../../tests/support/desk-harness.ts'
import { contactOf, ERASURE_KEY } from '../../../tests/support/lead-store.ts'
import { dead, deliverAll, engines } from '../../../tests/support/store-engines.ts'
import type { Health, Job, Lead, LeadsFilter, LeadsPage } from '../../browser/client.ts'

const harness = {} as DeskHarness
const neverOnList = { state: 'held', doNotCall: { email: false, phone: false } }
const held = { holdReason: 'a link in the name' }
const get = <T>(path: string, client = harness.maria) => bodyOf<T>(client.fetch(path))
const post = <T>(path: string, body: unknown, client = harness.maria) => bodyOf<T>(client.fetch(path, { body }))
const list = async (filter: LeadsFilter, more: object = {}) =>
  (await post<LeadsPage>('/api/leads/search', { filter, ...more })).leads.map(({ id }) => id)
const statusOf = async (path: string, body?: unknown) => (await harness.maria.fetch(path, { body })).status
/** What the pages send: the lead as the user sees it now. */
const seenNow = async (id: string) => {
  const entries = await harness.store.doNotCallEntriesOf(id)
  const isOnList = (kind: string) => entries.some(({ contact }) => contact === kind)
  const { state } = (await harness.store.find(id)) ?? {}
  return { state, doNotCall: { email: isOnList('email'), phone: isOnList('phone') } }
}
const act = async (id: string, request: object, client = harness.maria) => {
  const body = { seen: await seenNow(id), ...request }
  return (await post<{ lead: Lead }>(`/api/leads/${id}/actions`, body, client)).lead
}
const refusal = async (id: string, request: object, client = harness.maria) =>
  refusalOf(client.fetch(`/api/leads/${id}/actions`, { body: { seen: await seenNow(id), ...request } }))

describe('a lead', () => {
  deskPerTest(undefined, harness)

  test('is shown with its timeline, consent, and the person’s other leads, and who viewed it is recorded', async () => {
    const id = await harness.capture('ada', { certificate: { kind: 'present', url: 'https://cert.trustedform.com/x' } })
    const repeat = await harness.capture('ada')
    await deliverAll(harness.store, dead)
    const failed = await harness.maria.fetch('/api/leads/search', { body: { filter: { delivery: 'dead' } } })
    expect(await failed.json()).toMatchObject({ leads: [{ id, deliveryError: 'gone' }] })
    await act(id, { action: 'resend' })
    await deliverAll(harness.store)
    const lou = await harness.desk.signedIn('Lou Looker', 'viewer')
    await get(`/api/leads/${id}`, lou)
    const lead = await get<Lead>(`/api/leads/${id}`, lou)
    expect(lead).toMatchObject({
      contact: { firstName: 'ada', email: 'ada@example.org', tel: 'tel:+15552100199' },
      certificate: { ageDays: 0, daysLeft: 90, formKnown: false },
      consent: JSON.stringify({ text: 'I agree', button: 'Call me' }),
      delivery: { state: 'delivered' },
      others: [{ id: repeat, state: 'repeat' }],
      actions: [],
      clientAddress: null,
      userAgent: null,
    })
    expect(await get(`/api/leads/${id}`)).toMatchObject({ clientAddress: expect.stringContaining('.') })
    const events = lead.timeline.map(({ event, attempt }) => [event.kind, doneBy(event), attempt?.outcome])
    expect(events).toEqual(
      expect.arrayContaining([
        ['received', null, undefined],
        ['delivery dead', null, 'gone'],
        ['put into the outbox again', 'Maria Lopez', undefined],
        ['delivered', null, 'delivered'],
      ]),
    )
    expect(events.filter(([event]) => event === 'looked')).toEqual([
      // Her action showed it, too.
      ['looked', 'Maria Lopez', undefined],
      ['looked', 'Lou Looker', undefined],
    ])
    // A tab that was left open refreshes itself whenever something changes.
    await harness.change(`UPDATE history SET at = at - 3600000 WHERE event = 'looked'`)
    const views = async (path: string) => {
      const { timeline } = await get<Lead>(path, lou)
      return timeline.filter(({ event }) => event.kind === 'looked' && event.by === 'Lou Looker').length
    }
    expect(await views(`/api/leads/${id}?refresh`)).toBe(1)
    expect(await views(`/api/leads/${id}`)).toBe(2)
    // A first view is recorded even if the request claims to be a refresh.
    expect(await views(`/api/leads/${repeat}?refresh`)).toBe(1)
    expect(await statusOf('/api/leads/00000000-0000-0000-0000-000000000000')).toBe(404)
    expect(await statusOf('/api/leads/%27')).toBe(404)
  })

  test('is rejected, approved, put on the do-not-call list, and erased, but only when the action applies', async () => {
    const id = await harness.capture('ada', held)
    const reject = { action: 'reject', reason: 'a joke' }
    expect(await act(id, reject)).toMatchObject({ state: 'rejected', rejectedReason: 'a joke' })
    for (const request of [reject, { action: 'resend' }]) expect((await refusal(id, request))[0]).toBe(409)
    expect(await act(id, { action: 'approve' })).toMatchObject({ state: 'accepted' })
    const listed = await act(id, { action: 'do not call', contacts: ['phone'] })
    expect(listed.doNotCall).toEqual({ email: false, phone: true, others: [] })
    const bob = { ...contactOf('bob'), phone: '(555) 234-5678' }
    const other = await harness.capture('bob', { contact: bob })
    const { leads } = await post<LeadsPage>('/api/leads/search', { filter: {} })
    expect(leads.map(lead => [lead.id, lead.doNotCall])).toEqual([
      [other, false],
      [id, true],
    ])
    for (const confirmation of ['', 'Lovelac', 'ada']) {
      expect((await refusal(id, { action: 'erase', confirmation }))[0]).toBe(400)
    }
    const erased = await act(id, { action: 'erase', confirmation: ' lovelace ' })
    expect(erased).toMatchObject({ state: 'erased', contact: null, actions: [] })
    expect(erased.timeline.find(({ event }) => event.kind === 'erased')).toMatchObject({ event: { by: 'Maria Lopez' } })
    expect((await refusal(id, { action: 'approve' }))[0]).toBe(409)
  })

  test('is erased if its last name is typed as browsers show it', async () => {
    const id = await harness.capture('ada', { contact: { ...contactOf('ada'), lastName: 'Mary  Ann\u200b' } })
    expect(await act(id, { action: 'erase', confirmation: 'mary ann' })).toMatchObject({ state: 'erased' })
  })

  test('is erased with a warning if the data stays in the log while a backup runs', async () => {
    const id = await harness.capture('ada')
    const health = await harness.store.health()
    const backup = new DatabaseSync('location' in health ? health.location : '', { readOnly: true })
    backup.exec('BEGIN; SELECT COUNT(*) FROM leads')
    const body = { action: 'erase', seen: await seenNow(id), confirmation: id }
    const { lead, notice } = await post<{ lead: Lead; notice: string | null }>(`/api/leads/${id}/actions`, body)
    expect(lead.state).toBe('erased')
    expect(notice).toMatch(/^The old data is still in the store’s log/)
    backup.close()
  })

  test.each([
    ['rejected', { action: 'reject', reason: 'a joke' }, 'Joe rejected this at '],
    [
      'on the list',
      { action: 'do not call', contacts: ['phone'] },
      'Joe added this person to the do-not-call list at ',
    ],
  ])('an outdated decision is refused and says who decided what: %s', async (_, earlier, told) => {
    const id = await harness.capture('ada', held)
    const joe = await harness.desk.signedIn('Joe', 'editor')
    const seen = await seenNow(id)
    await act(id, earlier, joe)
    const decisions = [
      { action: 'approve' },
      { action: 'reject', reason: 'spam' },
      { action: 'erase', confirmation: 'lovelace' },
    ]
    const message = expect.stringMatching(new RegExp(`^${told}\\d+:\\d\\d [AP]M\\.$`))
    for (const decision of decisions) expect(await refusal(id, { ...decision, seen })).toEqual([409, message])
    // A request not to be called counts anyway.
    const body = { action: 'do not call', seen, contacts: ['phone', 'email'] }
    const done = await post<{ lead: Lead; notice: string | null }>(`/api/leads/${id}/actions`, body)
    expect(done.lead.doNotCall).toEqual({ email: true, phone: true, others: [] })
    expect(done.notice).toContain(told)
  })

  test('Undo of a removal puts back what it removed, also the email of another lead with the number', async () => {
    const id = await harness.capture('ada', held)
    const others = ['bob@example.org']
    await harness.capture('bob', { contact: { ...contactOf('bob'), phone: contactOf('ada').phone } })
    await act(id, { action: 'do not call', contacts: ['phone'] })
    await harness.store.addToDoNotCall({ contacts: [{ email: 'bob@example.org' }], by: 'website', source: 'web' })
    const before = await harness.store.stopRequests({ limit: 9 })
    const seen = { state: 'held', doNotCall: { email: false, phone: true, others } }
    const removed = { contacts: ['phone'], others, seen, request: { askedBy: 'person', askedOn: '2030-01-31' } }
    const undo = { ...removed, action: 'undo allow calls' }
    expect(await act(id, { ...removed, action: 'allow calls' })).toMatchObject({
      doNotCall: { phone: false, others: [] },
    })
    expect(await act(id, undo)).toMatchObject({ doNotCall: { email: false, phone: true, others } })
    expect(await harness.store.stopRequests({ limit: 9 })).toEqual(before)
    expect(await refusal(id, undo)).toEqual([409, 'A colleague changed these entries. Nothing was put back.'])
  })

  test('a colleague’s Undo says who added the entry and leaves it on the list; then the lead can’t be approved', async () => {
    const id = await harness.capture('ada', held)
    const joe = await harness.desk.signedIn('Joe', 'agent')
    const contacts = ['phone', 'email']
    await act(id, { action: 'do not call', contacts }, joe)
    const { requestId } = await post<{ requestId: string }>(`/api/leads/${id}/actions`, {
      action: 'do not call',
      seen: await seenNow(id),
      contacts,
    })
    expect(await refusal(id, { action: 'undo do not call', requestId })).toEqual([
      409,
      expect.stringMatching(/^Joe added this person to the do-not-call list at .+\. The entry stays on the list\.$/),
    ])
    const lead = await get<Lead>(`/api/leads/${id}`)
    expect(lead).toMatchObject({ doNotCall: { email: true, phone: true }, isClosed: true })
    expect(lead.actions).not.toContain('approve')
    expect(await refusal(id, { action: 'approve' })).toEqual([
      409,
      'This person is on the do-not-call list. To send this lead, remove them from the list first.',
    ])
    // Agents can't remove entries, and an editor has to say who asked.
    const removal = { action: 'allow calls', contacts, request: { askedBy: 'person', askedOn: '2030-01-31' } }
    expect((await refusal(id, removal, joe))[0]).toBe(403)
    expect((await refusal(id, { ...removal, request: undefined }))[0]).toBe(400)
    expect(await act(id, removal)).toMatchObject({ doNotCall: { email: false, phone: false } })
    expect(await list({ state: 'held' })).toEqual([id])
  })

  test('only the author or an editor can delete a note', async () => {
    const id = await harness.capture('ada')
    const [cal, joe] = [await harness.desk.signedIn('Cal', 'agent'), await harness.desk.signedIn('Joe', 'agent')]
    const added = await act(id, { action: 'add note', text: ' <i>nine</i> ' }, cal)
    const removal = { action: 'remove note', note: added.notes[0]?.id }
    const restoring = { ...removal, action: 'restore note' }
    expect(added.notes).toMatchObject([{ by: 'Cal', text: '<i>nine</i>', canChange: true }])
    expect((await get<Lead>(`/api/leads/${id}`, joe)).notes).toMatchObject([{ canChange: false }])
    expect((await refusal(id, removal, joe))[0]).toBe(403)
    expect(await act(id, removal, cal)).toMatchObject({ notes: [] })
    expect((await refusal(id, restoring, joe))[0]).toBe(409)
    expect(await act(id, restoring, cal)).toMatchObject({ notes: [{ text: '<i>nine</i>' }] })
    expect(await act(id, removal)).toMatchObject({ notes: [] })
  })
})

describe('jobs', () => {
  deskPerTest(undefined, harness)

  test('a job skips leads that a colleague decided, and stops if the person who started it lost access', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, (_, index) => harness.capture(`n${index}`, held)))
    const selected = ids.map(id => ({ id, state: 'held' as const }))
    const [first = '', ...others] = ids
    const count = { action: 'approve', leads: { selected } }
    const { frozenAt } = await post<{ frozenAt: number }>('/api/jobs/count', count)
    await act(first, { action: 'reject', reason: 'a joke' })
    expect(await post('/api/jobs/count', count)).toMatchObject({ would: 11, skipped: 1 })
    const ending = async (job: Job) => {
      await expect.poll(() => get<Job>(`/api/jobs/${job.id}`)).not.toMatchObject({ state: 'running' })
      return get<Job>(`/api/jobs/${job.id}`)
    }
    const job = await post<Job>('/api/jobs', { ...count, frozenAt })
    expect(await ending(job)).toMatchObject({ state: 'done', changed: 11, skipped: 1, failed: 0, message: null })
    expect((await list({ state: 'accepted' })).toSorted()).toEqual(others.toSorted())

    const rejected = { action: 'approve', leads: { selected: [{ id: first, state: 'rejected' }] }, frozenAt }
    const joe = await harness.desk.signedIn('Joe', 'editor')
    const { store } = harness
    const reject = vi.spyOn(store, 'deskPeople').mockImplementationOnce(async () => {
      await store.removePerson({ name: 'Joe', by: 'root' })
      return store.deskPeople()
    })
    const orphaned = await post<Job>('/api/jobs', rejected, joe)
    expect(await ending(orphaned)).toMatchObject({
      state: 'stopped',
      changed: 0,
      message: 'Joe no longer has access, so the remaining leads weren’t changed.',
    })
    expect(reject).toHaveBeenCalled()
    expect(await list({ state: 'rejected' })).toEqual([first])
  })
})

/** With queries that the store's tests don't run. */
describe.each(engines)('lists of leads, on $name', engine => {
  deskPerTest(engine, harness)

  test('lists leads by filter and search, page by page, with only the personal data a list needs', async () => {
    const ada = await harness.capture('ada', { campaign: { utm_source: 'news' } })
    const bob = await harness.capture('bob', held)
    const zoe = await harness.capture('zoe', {
      contact: { ...contactOf('zoe'), lastName: 'Abbott', phone: '(555) 010-7777' },
      page: '/advertorial',
      language: 'es',
    })
    await harness.store.indexLeads({ limit: 10 })
    expect(await list({})).toEqual([zoe, bob, ada])
    expect(await list({ search: 'bob' })).toEqual([bob])
    expect(await list({ search: '7777', page: '/advertorial' })).toEqual([zoe])
    expect(await list({ campaign: campaignKey({ utm_source: 'news' }) })).toEqual([ada])
    expect(await list({ state: 'held' })).toEqual([bob])
    expect(await list({ language: 'es' })).toEqual([zoe])
    expect(await post('/api/leads/count', { filter: { language: 'es' } })).toEqual({ total: 1, exact: true })
    expect((await get<Lead>(`/api/leads/${zoe}`)).language).toBe('es')
    expect(await list({ to: '1970-01-02' })).toEqual([])
    const first = await post<LeadsPage>('/api/leads/search', { filter: {}, sort: 'newest', limit: 2 })
    expect(first.leads[0]).toMatchObject({ id: zoe, lastName: 'Abbott', phone: '(555) 010-7777', language: 'es' })
    const rest = await list({}, { limit: 2, after: first.next })
    expect([...first.leads.map(({ id }) => id), ...rest]).toEqual([zoe, bob, ada])
    expect(await post('/api/leads/search', { filter: {}, sort: 'newest', limit: 3 })).toMatchObject({ next: null })
    expect(await list({}, { sort: 'oldest' })).toEqual([ada, bob, zoe])
    expect(JSON.stringify(first.leads)).not.toMatch(/example\.org|\b19\d\d-\d\d-\d\d\b/)
    expect(await post('/api/leads/count', { filter: { search: 'example.org' } })).toEqual({ total: 3, exact: true })
    // The first page includes the count if no extra query is needed.
    const counts = async (filter: LeadsFilter, page: object = {}) =>
      (await post<LeadsPage>('/api/leads/search', { filter, limit: 2, ...page })).count
    expect(await counts({ page: '/' })).toEqual({ total: 2, exact: true })
    expect(await counts({})).toBeNull()
    expect(await counts({ search: 'example.org' }, { after: first.leads[0]?.id })).toBeNull()
    const wrong = [{ state: 'lost' }, { language: 'xx' }, { campaign: 'other' }, { from: '2030-02-30' }, { name: 'x' }]
    for (const filter of wrong) expect([filter, await statusOf('/api/leads/search', { filter })]).toEqual([filter, 400])
  })

  test('records how many different leads each person sees in lists each day', async () => {
    for (const name of ['ada', 'bob', 'carl']) await harness.capture(name)
    const erased = await harness.capture('eve')
    await harness.store.erase({ ids: [erased], key: ERASURE_KEY, by: 'Maria Lopez' })
    await harness.store.indexLeads({ limit: 10 })
    const recorded = async () => (await harness.store.recentListViews(10)).map(({ by, leads }) => [by, leads])
    await list({ search: 'bob' })
    expect(await recorded()).toEqual([['Maria Lopez', 1]])
    await list({})
    // An open list refreshes itself.
    await list({})
    await post('/api/leads/search', { filter: {} }, await harness.desk.signedIn('Lou Looker', 'viewer'))
    expect((await recorded()).toSorted()).toEqual([
      ['Lou Looker', 3],
      ['Maria Lopez', 3],
    ])
    await harness.capture('finn')
    await list({})
    expect(await recorded()).toContainEqual(['Maria Lopez', 4])
    expect(await harness.store.recentExports(10)).toEqual([])
    expect((await get<Health>('/api/health')).listViews).toHaveLength(2)
  })

  test('a bookmark with an invalid page or campaign finds no leads instead of failing', async () => {
    await harness.capture('ada', { campaign: { utm_source: 'news' } })
    const campaigns = ['x', '[1]', '{}', 'null', '[', '[[],[],[]]', JSON.stringify(['x'.repeat(5000), '', ''])]
    campaigns.push('["\\u0000","",""]', '["\\ud800","",""]', '['.repeat(50_000), 'x'.repeat(50_000))
    const pages = ['/nowhere', `/${'x'.repeat(5000)}`]
    for (const filter of [...campaigns.map(campaign => ({ campaign })), ...pages.map(page => ({ page }))]) {
      expect([filter, await list(filter)]).toEqual([filter, []])
      expect(await post('/api/leads/count', { filter })).toEqual({ total: 0, exact: true })
    }
    const others: readonly LeadsFilter[] = [{ search: 'ada' }, { delivery: 'pending' }, { from: '1970-01-02' }]
    for (const other of others) expect(await list({ campaign: 'x', page: '/x', ...other })).toEqual([])
    const request = { action: 'approve', leads: { filter: { campaign: 'x' } } }
    expect(await post('/api/jobs/count', request)).toMatchObject({ would: 0, skipped: 0 })
    const several = harness.maria.fetch('/api/leads/search', { body: { filter: { campaign: 'other' } } })
    expect(await refusalOf(several)).toEqual([400, expect.stringContaining('Choose a single campaign.')])
  })

  test('a job changes only the leads that were counted and reports the result', async () => {
    const ids = await Promise.all([1, 2, 3].map(index => harness.capture(`ada${index}`, held)))
    const accepted = await harness.capture('ada4')
    const rejected = await harness.capture('ada6', held)
    await act(rejected, { action: 'reject', reason: 'a joke' })
    await harness.store.indexLeads({ limit: 10 })
    const request = { action: 'approve', leads: { filter: { search: 'ada' } } }
    const count = await post<{ frozenAt: number }>('/api/jobs/count', request)
    expect(count).toMatchObject({ would: 3, skipped: 2, tooMany: false })
    for (const leads of [{ selected: [{ id: rejected, state: 'rejected' }] }, { filter: { state: 'rejected' } }])
      expect(await post('/api/jobs/count', { ...request, leads })).toMatchObject({ would: 1 })
    const later = await harness.capture('ada5', held)
    const job = await post<Job>('/api/jobs', { ...request, frozenAt: count.frozenAt })
    await expect
      .poll(async () => get<Job>(`/api/jobs/${job.id}`))
      .toMatchObject({ state: 'done', total: 5, changed: 3, skipped: 2, failed: 0, action: 'approve' })
    expect(await list({ state: 'held' })).toEqual([later])
    expect((await list({ state: 'accepted' })).toSorted()).toEqual([...ids, accepted].toSorted())
    expect(await statusOf('/api/jobs', { ...request, frozenAt: count.frozenAt })).toBe(409)
    await harness.store.decideUnqueued({ choice: 'all', by: 'Maria Lopez' })
    await deliverAll(harness.store)
    const selected = { action: 'resend', leads: { selected: ids.map(id => ({ id, state: 'accepted' })) } }
    expect(await post('/api/jobs/count', selected)).toMatchObject({ would: 0, skipped: 3 })
    expect(await post('/api/jobs/count', { ...selected, again: true })).toMatchObject({ would: 3 })
    await act(ids[0] ?? '', { action: 'do not call', contacts: ['email'] })
    expect(await post('/api/jobs/count', { ...selected, again: true })).toMatchObject({ would: 0, skipped: 3 })
  })

  test('an export escapes formulas and is recorded once, with its filter but not the search text', async () => {
    await harness.capture('', {
      contact: { ...contactOf('ada'), firstName: '=HYPERLINK("http://x")' },
      campaign: { utm_source: 'radio', utm_campaign: 'spring' },
    })
    const exported = (filter: object) => harness.maria.fetch('/api/leads/export', { body: { filter } })
    const csv = await exported({})
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="leads-[\d-]+\.csv"$/)
    expect(csv.headers.get('content-type')).toContain('text/csv')
    const text = await csv.text()
    expect(text).toMatch(
      /^ID,Received at \(America\/New York\),State,.*,IP address,Browser,.*,Call outcome,campaign\.utm_source,/,
    )
    expect(text).toContain(`"'=HYPERLINK(""http://x"")"`)
    expect(text).toMatch(
      /,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,Accepted,.*,spring · radio,.*,Off,.*,Queued,0,,No,English,Written,/,
    )
    await (await exported({ search: 'Zebulon' })).text()
    const recorded = await harness.store.recentExports(10)
    expect(recorded.map(({ by, format, filter, leads }) => [by, format, filter, leads])).toEqual([
      ['Maria Lopez', 'csv', '{"search":"(hidden)"}', 0],
      ['Maria Lopez', 'csv', '{}', 1],
    ])
    // An export stops when the session that started it ends.
    const file = await exported({})
    await harness.store.removePerson({ name: 'Maria Lopez', by: 'root', evenLastEditor: true })
    await expect(file.text()).rejects.toThrow()
  })

  test('NUL and half a character are refused everywhere, and deeply nested brackets don’t overflow the stack', async () => {
    const brackets = `{"filter":{},"more":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
    expect(await statusOf('/api/leads/search', brackets)).toBe(200)
    expect(await statusOf('/api/session/sign-in', brackets)).toBe(400)
    const id = await harness.capture('ada', held)
    const nul = '\u0000'
    const { options } = await post<{ options: never }>('/api/session/sign-in/options', {})
    const requests: readonly (readonly [path: string, body?: object])[] = [
      ['/api/leads/search', { filter: { search: nul } }],
      ['/api/leads/search', { filter: { page: nul } }],
      ['/api/leads/search', { filter: { campaign: nul } }],
      ['/api/leads/search', { filter: {}, after: nul }],
      ['/api/jobs/count', { action: 'approve', leads: { selected: [{ id: nul, state: 'held' }] } }],
      [`/api/leads/${id}/actions`, { action: 'add note', text: `a${nul}b` }],
      [`/api/leads/${id}/actions`, { action: 'reject', seen: neverOnList, reason: `a${nul}b` }],
      ['/api/health/pause', { reason: `a${nul}b` }],
      ['/api/session/sign-in', { challengeId: nul, answer: harness.maria.authenticator.signIn(options) }],
      ['/api/jobs/%00'],
      ['/api/leads/%00/record'],
      ['/api/campaigns?campaign=a%00b'],
      ['/api/leads/lists?anything=%00'],
      ['/api/leads/search', { filter: { page: '/\ud800' } }],
      [`/api/leads/${id}/actions`, { action: 'add note', text: 'a\ud800' }],
    ]
    for (const [path, body] of requests) {
      expect([path, await statusOf(path, body)]).toEqual([path, 400])
    }
  })
})
