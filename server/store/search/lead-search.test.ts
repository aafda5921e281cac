/** Finding leads by what was typed into one box, on either engine. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { contactOf, ERASURE_KEY, submissionOf } from '../../../tests/faults/lead-store.ts'
import { engines, type OpenEngine } from '../../../tests/support/store-engines.ts'
import type { Submission } from '../capture.ts'
import { createLeadId } from '../lead-id.ts'
import type { LeadFilter } from '../lead-records.ts'
import type { Store } from '../store.ts'
import { QueryTimeoutError } from '../store-errors.ts'
import { createLeadSearch, type LeadSearch } from './lead-search.ts'

describe.each(engines)('search on $name', engine => {
  let open: OpenEngine
  let store: Store
  let leads: LeadSearch
  let consentVersion: string
  beforeEach(async () => {
    open = await engine.open()
    store = open.store
    consentVersion = await store.rememberConsent('I agree')
    leads = createLeadSearch(store, { freshMs: 0 })
  })
  afterEach(() => open.remove())

  const capture = async (contact: Partial<Submission['contact']>, differences: Partial<Submission> = {}) => {
    const name = contact.email ?? `${contact.firstName}${contact.lastName}`
    const submission = { ...submissionOf(name, consentVersion), ...differences }
    // Ids go by the millisecond: the next lead is a later one.
    await sleep(2)
    return (await store.capture({ ...submission, contact: { ...contactOf('someone'), ...contact } })).id
  }
  const find = async (typed: string, filter: LeadFilter = {}) =>
    (await leads.search({ typed, filter, order: 'newest first', limit: 50, after: null })).map(({ id }) => id)

  test('finds a person by a part of the name, the address, the number or by the beginning of the id', async () => {
    const maria = await capture({
      firstName: 'María-José',
      lastName: "O'Neill Lopez",
      email: 'MJ.Lopez+ssdi@Example.org',
      phone: '(555) 010-2030',
    })
    await capture({ firstName: 'Other', lastName: 'Person', email: 'other@example.com', phone: '(444) 999-8877' })
    const found = ['maria', 'MARÍA', 'lop', 'opez mar', 'oneill', "o'neill", 'maria-jose', 'mj.lopez+ssdi@example.org']
    found.push('mj.lopez', '@example.org', '2030', '(555) 010-2030', '+1 555 010 2030', '+1-555-01', 'lopez 2030')
    found.push('555-010', maria, maria.slice(0, 20), maria.toUpperCase())
    for (const typed of found) expect([typed, await find(typed)]).toEqual([typed, [maria]])
    const missed = ['', '  ', 'maria person', 'lopezz', 'mjlopez@', '0102031', '55501020304', `${maria}0`, '.*', '%']
    for (const typed of missed) expect([typed, await find(typed)]).toEqual([typed, []])
  })

  test('finds a person by what is pasted from a mail, a table or a telephone', async () => {
    const email = 'c.tattersall+ssdi@example.org'
    const calvin = await capture({ firstName: 'Calvin', lastName: 'Tattersall', email, phone: '(555) 527-1005' })
    await capture({ firstName: 'Drew', lastName: 'Msall', email: 'drew@example.com', phone: '(555) 527-1006' })
    const found = ['Tattersall, Calvin', 'tattersall,calvin', 'Mr. Tattersall', 'mr tattersall', '"Calvin Tattersall"']
    found.push(
      '“Calvin Tattersall”',
      '‘Calvin’',
      '(Calvin Tattersall).',
      'Calvin - Tattersall',
      'Tattersall, Dr. Calvin',
    )
    found.push(`Calvin Tattersall <${email}>`, `<${email}>;`, `mailto:${email}`, `MAILTO:${email}?subject=Call%20me`)
    found.push('tel:+15555271005', 'tel:+1-555-527-1005', 'Calvin Tattersall (555) 527-1005', '"(555) 527-1005"')
    found.push(
      '+1 555 527 1005 Calvin',
      'calvin 555-527-1005 tattersall',
      'calvin 1 (555) 527 1005',
      'calvin +1 555 52',
    )
    found.push(
      'calvin 1005 555',
      'calvin (555) 527',
      '555–527–1005',
      '\u202a+1 (555) 527-1005\u202c',
      'calvin 555 - 527 - 1005',
    )
    found.push(`Mr. Calvin Tattersall, (555) 527-1005, ${email}`)
    for (const typed of found) expect([typed, await find(typed)]).toEqual([typed, [calvin]])
    const missed = [
      'calvin (555) 527-10055',
      'calvin 555 527 1005 5',
      'Tattersall, Drew',
      'calvin dr',
      'calvin +2 555 527 1005',
    ]
    missed.push('"', '()', '<>', '.*', '"%"', 'mailto:', 'tel:', ',')
    for (const typed of missed) expect([typed, await find(typed)]).toEqual([typed, []])
  })

  test('finds a name by the letters that a keyboard has', async () => {
    const id = await capture({ firstName: 'Łukasz', lastName: 'Đặng Sørensen-Weiß' })
    const found = ['lukasz', 'Łukasz', 'ŁUKASZ', 'dang', 'Đặng', 'sorensen', 'sørensen weiß', 'weiss', 'WEISS']
    for (const typed of found) expect([typed, await find(typed)]).toEqual([typed, [id]])
    expect(await find('ukasz dan')).toEqual([id])
    expect(await find('lucas')).toEqual([])
  })

  test('finds the lead of a moment ago, and never one that was erased meanwhile', async () => {
    const first = await capture({ firstName: 'Ada', email: 'a1@example.org' })
    expect(await find('ada')).toEqual([first])
    const second = await capture({ firstName: 'Ada', email: 'a2@example.org' })
    expect(await find('ada')).toEqual([second, first])
    await store.erase({ ids: [second], key: ERASURE_KEY })
    expect(await find('ada')).toEqual([first])
    expect(await find(second)).toEqual([second])
  })

  test('of an erased lead nothing stays in memory, whoever erased it', async () => {
    const [kept, erased] = [await capture({ firstName: 'Ada' }), await capture({ firstName: 'Adam' })]
    const lookedUp: string[] = []
    const watched = createLeadSearch({
      ...store,
      leadsAmong: request => {
        lookedUp.push(...request.ids)
        return store.leadsAmong(request)
      },
    })
    const search = () => watched.search({ typed: 'ada', filter: {}, order: 'newest first', limit: 50, after: null })
    await search()
    expect(lookedUp.splice(0)).toEqual([erased, kept])
    await (await open.again()).erase({ ids: [erased], key: ERASURE_KEY })
    await watched.forgetErased()
    await search()
    expect(lookedUp).toEqual([kept])
    expect(await watched.count({ typed: 'ada', filter: {}, most: 10 })).toBe(1)
  })

  test('a lead that was read before it was erased, and arrives after that, is not taken in', async () => {
    const lookedUp: string[] = []
    let id: string | undefined
    const slow = createLeadSearch(
      {
        ...store,
        async searchableLeads(which) {
          const found = await store.searchableLeads(which)
          if (id === undefined || found.length === 0) return found
          await store.erase({ ids: [id], key: ERASURE_KEY })
          await slow.forgetErased()
          return found
        },
        leadsAmong: request => {
          lookedUp.push(...request.ids)
          return store.leadsAmong(request)
        },
      },
      { freshMs: 0 },
    )
    const search = (typed: string) => slow.search({ typed, filter: {}, order: 'newest first', limit: 50, after: null })
    await slow.prepare()
    id = await capture({ firstName: 'Ada' })
    await search('ada')
    expect(lookedUp).toEqual([])
    expect(await search(id)).toMatchObject([{ id, state: 'erased' }])
  })

  test('a lead that comes to disk after later ones is found in its place', async () => {
    const ids: string[] = []
    for (let index = 0; index < 3; index++)
      ids.push(await capture({ firstName: 'Ada', email: `a${index}@example.org` }))
    const late = ids[1] ?? ''
    let isLate = true
    const without = <T>(found: readonly T[], idOf: (one: T) => string) =>
      isLate ? found.filter(one => idOf(one) !== late) : found
    const behind = createLeadSearch(
      {
        ...store,
        searchableLeads: async which => without(await store.searchableLeads(which), ({ id }) => id),
        idsBetween: async range => without(await store.idsBetween(range), id => id),
        countBetween: async range => (await store.countBetween(range)) - (isLate ? 1 : 0),
      },
      { freshMs: 0 },
    )
    const search = async () => {
      const found = await behind.search({ typed: 'ada', filter: {}, order: 'oldest first', limit: 50, after: null })
      return found.map(({ id }) => id)
    }
    expect(await search()).toEqual([ids[0], ids[2]])
    isLate = false
    // At once, unless this computer was so busy meanwhile that only the longer look back finds it.
    await expect.poll(search).toEqual(ids)
  })

  test('goes by turns through what memory finds and what the filter finds, and misses none on the way', async () => {
    // Every third is both held and an Ada; there are more of each than one turn takes.
    const received = Date.now()
    const rows = Array.from({ length: 3000 }, (_, index) => ({
      index,
      id: createLeadId(received - 3_000_000 + index * 1000),
    }))
    const values = rows.map(({ index, id }) => {
      const [name, state] = [index % 3 === 2 ? 'Bob' : 'Ada', index % 3 === 1 ? 'accepted' : 'held']
      return `('${id}', ${received}, '${state}', '{"firstName":"${name}","lastName":"x","dateOfBirth":"1970-01-01","email":"${index}@example.org","phone":"(555) 010-2030"}', '${index}@example.org', '(555) 010-2030', '/', '{}', '', '${consentVersion}')`
    })
    await open.change(
      `INSERT INTO leads (id, received_at, state, contact, email, phone, page, campaign, campaign_key, consent_version) VALUES ${values.join()}`,
    )
    const both = rows.filter(({ index }) => index % 3 === 0).map(({ id }) => id)
    const filter = { state: 'held' } as const
    expect(await leads.searchIds({ typed: 'ada', filter, limit: 5000 })).toEqual(both)
    const [newest] = await leads.search({ typed: 'ada', filter, order: 'newest first', limit: 1, after: null })
    expect(newest?.id).toBe(both.at(-1))
    expect(await leads.count({ typed: 'ada', filter, most: 5000 })).toBe(both.length)
    expect(await leads.count({ typed: 'ada', filter: {}, most: 5000 })).toBe(2000)
    expect(await leads.count({ typed: 'ada', filter: {}, most: 1500 })).toBe(1500)
    expect(await leads.count({ typed: ' ', filter: {}, most: 10 })).toBe(0)
    const first = async (typed: string, narrowed: LeadFilter = {}) => {
      const found = await leads.searchFirst({ typed, filter: narrowed, order: 'newest first', limit: 2, most: 1500 })
      return [found.leads.length, found.total]
    }
    expect(await first('ada')).toEqual([2, 1500])
    expect(await first('2998@example')).toEqual([1, 1])
    expect(await first(' ')).toEqual([0, 0])
    // Only a look at each would tell, unless all are on the page.
    expect(await first('ada', filter)).toEqual([2, null])
    expect(await first('2997@example', filter)).toEqual([1, 1])
  })

  test('gives pages that follow each other in either order, within the filter and the time that are asked for', async () => {
    const ids: string[] = []
    for (let index = 0; index < 6; index++) {
      ids.push(
        await capture(
          { firstName: index === 3 ? 'Bob' : 'Ada', email: `ada${index}@example.org` },
          { page: index % 2 ? '/advertorial' : '/', holdReason: index === 5 ? 'a link in the name' : null },
        ),
      )
    }
    const [, second, third, , fifth, sixth] = ids as [string, string, string, string, string, string]
    const pages = async (order: 'newest first' | 'oldest first') => {
      const found: string[] = []
      for (let after: string | null = null; ; ) {
        const page: readonly { id: string }[] = await leads.search({ typed: 'ada', filter: {}, order, limit: 2, after })
        found.push(...page.map(({ id }) => id))
        if (page.length < 2) return found
        after = page.at(-1)?.id ?? null
      }
    }
    // Bob's address has an ada in it.
    expect(await pages('oldest first')).toEqual(ids)
    expect(await pages('newest first')).toEqual(ids.toReversed())
    expect(await find('ada ada', { page: '/advertorial' })).toHaveLength(3)
    expect(await find('ada', { state: 'held' })).toEqual([sixth])
    expect(await find('ada', { delivery: 'pending', page: '/' })).toEqual([fifth, third, ids[0]])
    const { receivedAt: since } = (await store.find(second)) as { receivedAt: number }
    const { receivedAt: until } = (await store.find(third)) as { receivedAt: number }
    expect(await find('ada', { since, until })).toEqual([second])
    expect(await leads.searchIds({ typed: 'bob', filter: {}, limit: 10 })).toEqual([ids[3]])
    expect(await leads.searchIds({ typed: 'ada', filter: {}, limit: 4 })).toEqual(ids.slice(0, 4))
  })

  test('finds names of any script and of any length, and takes nothing that is typed for anything but text', async () => {
    const names = ['<script>alert(1)</script>', 'x'.repeat(10_000), 'שרה כהן', '👩🏽‍🦱 Ana', '=HYPERLINK("http://x")']
    const ids: string[] = []
    for (const [index, firstName] of names.entries()) {
      ids.push(await capture({ firstName, lastName: 'Zed', email: `n${index}@example.org` }))
    }
    const typed = ['<script>', 'x'.repeat(10_000), 'כהן', '👩🏽‍🦱', '=hyperlink']
    for (const [index, text] of typed.entries()) expect([text, await find(text)]).toEqual([text, [ids[index]]])
  })

  test('says that it gave up', async () => {
    await capture({ firstName: 'Ada' })
    const hasty = createLeadSearch(store, { giveUpAfterMs: -1 })
    const request = { typed: 'ada', filter: {}, order: 'newest first', limit: 1, after: null } as const
    await expect(hasty.search(request)).rejects.toThrow(QueryTimeoutError)
  })
})
