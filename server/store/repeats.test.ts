/** Which leads are repeats, on both engines. */
import { describe, expect, test } from 'vitest'
import type { Contact } from '../../domain/lead.ts'
import { contactOf } from '../../tests/support/lead-store.ts'
import { dead, held, onEachEngine } from '../../tests/support/store-scene.ts'
import type { Submission } from './capture.ts'
import { personKeyOf } from './repeats.ts'
import type { Store } from './store.ts'

const ada = contactOf('ada')

describe('a person', () => {
  test.each<[string, Partial<Contact>]>([
    ['in capitals', { firstName: 'ADA', lastName: 'LOVELACE', email: 'Ada@Example.ORG' }],
    ['with different spacing', { firstName: ' a da ', lastName: 'Love lace', email: ' ada@example.org ' }],
    ['with accents', { firstName: 'Àda', lastName: 'Lovelace\u0301' }],
    ['with a hyphen or an apostrophe', { lastName: "Love-l'ace" }],
    ['with the number formatted differently', { phone: '+1 555.210.0199' }],
  ])('is recognized %s', (_, difference) => {
    expect(personKeyOf({ ...ada, ...difference })).toBe(personKeyOf(ada))
  })

  test.each<[string, Partial<Contact>]>([
    ['first name', { firstName: 'Eda' }],
    ['last name', { lastName: 'Byron' }],
    ['date of birth', { dateOfBirth: '1965-12-11' }],
    ['email address', { email: 'ada@example.net' }],
    ['phone number', { phone: '(555) 010-0198' }],
    ['split between first and last name', { firstName: 'adaLove', lastName: 'lace' }],
    ['name in another script', { firstName: '李' }],
    ['name without letters', { firstName: '…' }],
  ])('is not recognized with a different %s', (_, difference) => {
    expect(personKeyOf({ ...ada, ...difference })).not.toBe(personKeyOf(ada))
  })

  test('is not recognized by two different names without letters', () => {
    expect(personKeyOf({ ...ada, firstName: '…' })).not.toBe(personKeyOf({ ...ada, firstName: '?' }))
  })

  test('has a key that reveals nothing about them', () => {
    expect(personKeyOf(ada)).toMatch(/^v2 [0-9a-f]{10}[\w-]{22}$/)
  })
})

onEachEngine('repeats', scene => {
  const { store } = scene

  const capture = (contact: Partial<Contact> = {}, differences: Partial<Submission> = {}) =>
    scene.capture('ada', { contact: { ...ada, ...contact }, ...differences })
  const giveUp = async () => store.settle(dead(await scene.leaseOne()))

  test('a stranger who knows an email and a phone number can’t block the real lead', async () => {
    expect((await capture({ firstName: 'Mallory' })).state).toBe('accepted')
    expect((await capture({ dateOfBirth: '1970-01-01' })).state).toBe('accepted')
    expect((await capture()).state).toBe('accepted')
    expect((await capture({ firstName: 'ADA' })).state).toBe('repeat')
    expect(await store.lease({ limit: 9, leaseMs: 1000 })).toHaveLength(3)
  })

  test('a repeat of a lead whose delivery failed permanently reopens that delivery', async () => {
    const { id } = await capture()
    await giveUp()
    const again = await capture()
    expect(again.state).toBe('repeat')
    expect(await store.find(id)).toMatchObject({ delivery: { state: 'pending', attempts: 0, finishedAt: null } })
    const { history = [] } = (await store.find(id)) ?? {}
    const line = history.find(({ event }) => event === 'put into the outbox again')
    expect(JSON.parse(line?.detail ?? '{}')).toEqual({ was: 'dead', repeatedBy: again.id })
    expect(await store.lease({ limit: 9, leaseMs: 60_000 })).toMatchObject([{ leadId: id, attempts: 0 }])
    // The second repeat finds it already open.
    await capture()
    expect((await store.find(id))?.history.filter(({ event }) => event === line?.event)).toHaveLength(1)
  })

  test('a repeat that would be held, or has another name, doesn’t reopen a delivery', async () => {
    const { id } = await capture()
    await giveUp()
    expect((await capture({}, held)).state).toBe('repeat')
    await capture({ firstName: 'Mallory' })
    expect(await store.find(id)).toMatchObject({ delivery: { state: 'dead' } })
  })

  test('people are found by email and phone, whatever their name', async () => {
    const first = await capture()
    const second = await capture({ firstName: 'Bob', email: 'bob@example.org' })
    const third = await capture({ firstName: 'Carl', phone: '(555) 010-0198', email: 'ADA@example.org' })
    const ids = async (person: Parameters<Store['leadsOfPerson']>[0]) =>
      (await store.leadsOfPerson(person)).map(({ id }) => id).toSorted()
    expect(await ids({ email: 'ada@example.org' })).toEqual([first.id, third.id].toSorted())
    expect(await ids({ phone: '555 210 0199' })).toEqual([first.id, second.id].toSorted())
    expect(await ids({ id: first.id })).toEqual([first.id])
  })
})
