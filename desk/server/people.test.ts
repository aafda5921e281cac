/** The People page’s routes. The store’s tests have the rules. */
import { expect, test } from 'vitest'
import { confirm, register } from '../../tests/support/desk.ts'
import { bodyOf, deskPerTest, refusalOf } from '../../tests/support/desk-harness.ts'

const harness = deskPerTest()

interface Person {
  readonly name: string
  readonly role: string
  readonly status: string
  readonly onlySpeakerOf: readonly string[]
  readonly lastActiveAt: number | null
}
interface People {
  readonly people: readonly Person[]
  readonly changes: readonly { name: string; event: string; by: string }[]
}
interface Link {
  readonly link: string
  readonly expiresAt: number
}

const people = () => bodyOf<People>(harness.maria.fetch('/api/people'))
const send = async (path: string, body: object, client = harness.maria) =>
  client.fetch(`/api/people/${path}`, { body: { ...body, confirmation: await confirm(client) } })
const tokenIn = ({ link }: Link) => link.split('#')[1] ?? ''
const invitation = { name: 'Joe Smith', role: 'agent', languages: ['en', 'es'] }

test('an editor invites someone, who joins with the link once, changes their role, and removes them', async () => {
  const link = await bodyOf<Link>(send('invite', invitation))
  expect(link).toMatchObject({ link: expect.stringMatching(/^http:\/\/localhost:3001\/invitation#[\w-]{43}$/) })
  expect((await people()).people[0]).toMatchObject({
    ...invitation,
    status: 'invited',
    linkExpiresAt: link.expiresAt,
    lastActiveAt: null,
  })
  const joe = harness.desk.client()
  expect(await bodyOf(register(joe, tokenIn(link)))).toMatchObject({ role: 'agent', languages: ['en', 'es'] })
  expect((await register(harness.desk.client(), tokenIn(link))).status).toBe(403)
  await joe.fetch('/api/session')
  expect((await people()).people[0]).toMatchObject({ status: 'active', lastActiveAt: expect.any(Number) })
  for (const name of ['Joe Smith', ' joe  smith', 'Joe\u200b Smith\u202e']) {
    expect((await send('invite', { ...invitation, name })).status).toBe(409)
  }

  expect((await send('role', { name: 'Joe Smith', role: 'editor', seen: 'agent' })).status).toBe(200)
  expect((await joe.fetch('/api/people')).status).toBe(200)
  expect((await send('role', { name: 'Joe Smith', role: 'viewer', seen: 'agent' })).status).toBe(409)
  expect((await send('remove', { name: 'Joe Smith' })).status).toBe(200)
  expect((await joe.fetch('/api/session')).status).toBe(401)
  expect((await people()).people[0]).toMatchObject({ name: 'Joe Smith', status: 'removed' })
  expect((await send('link', { name: 'Joe Smith' })).status).toBe(409)
  expect((await people()).changes[0]).toMatchObject({ name: 'Joe Smith', event: 'removed', by: 'Maria Lopez' })
})

test('the only one who calls in a language is named before they’re removed', async () => {
  const join = async (name: string, role: string) => {
    const link = await bodyOf<Link>(send('invite', { ...invitation, name, role }))
    await register(harness.desk.client(), tokenIn(link))
  }
  const alone = async () =>
    (await people()).people.filter(({ onlySpeakerOf }) => onlySpeakerOf.length > 0).map(({ name }) => name)
  await join('Joe', 'agent')
  await join('Vera', 'viewer')
  expect(await alone()).toEqual(['Joe'])
  await join('Eva', 'editor')
  expect(await alone()).toEqual([])
  await send('remove', { name: 'Joe' })
  expect((await people()).people.find(({ name }) => name === 'Eva')).toMatchObject({ onlySpeakerOf: ['es'] })
})

test('a new link replaces a lost passkey and keeps the role; signing someone out keeps their passkey', async () => {
  const joe = await harness.desk.signedIn('Joe', 'agent')
  const link = await bodyOf<Link>(send('link', { name: 'Joe' }))
  expect((await joe.fetch('/api/session')).status).toBe(200)
  const phone = harness.desk.client()
  expect(await bodyOf(register(phone, tokenIn(link)))).toMatchObject({ name: 'Joe', role: 'agent' })
  expect((await joe.fetch('/api/session')).status).toBe(401)
  expect((await send('sign-out', { name: 'Joe' })).status).toBe(200)
  expect((await phone.fetch('/api/session')).status).toBe(401)
  expect((await people()).people[0]).toMatchObject({ name: 'Joe', status: 'active' })
})

test('a lost device is blocked at once, and a new link lets its owner in again', async () => {
  const joe = await harness.desk.signedIn('Joe', 'agent')
  const link = await bodyOf<Link>(send('lost-device', { name: 'Joe' }))
  expect((await joe.fetch('/api/session')).status).toBe(401)
  expect((await people()).people[0]).toMatchObject({ name: 'Joe', status: 'invited' })
  expect((await people()).changes).toContainEqual(
    expect.objectContaining({ event: 'blocked devices', name: 'Joe', by: 'Maria Lopez' }),
  )
  const phone = harness.desk.client()
  expect(await bodyOf(register(phone, tokenIn(link)))).toMatchObject({ name: 'Joe', role: 'agent' })
  expect((await phone.fetch('/api/session')).status).toBe(200)
  expect(await refusalOf(send('lost-device', { name: 'Maria Lopez' }))).toEqual([
    409,
    expect.stringContaining('Your account'),
  ])
  expect((await harness.maria.fetch('/api/session')).status).toBe(200)
})

test('someone who has only the cookie can’t invite anyone or change a role', async () => {
  const { cookie, person } = harness.maria
  const thief = Object.assign(harness.desk.client(), { cookie, person })
  const joe = await harness.desk.signedIn('Joe', 'viewer')
  const role = { name: 'Joe', role: 'editor', seen: 'viewer' }
  for (const [path, body] of [
    ['invite', invitation],
    ['link', { name: 'Joe' }],
    ['lost-device', { name: 'Joe' }],
    ['role', role],
  ] as const) {
    expect((await thief.fetch(`/api/people/${path}`, { body: { ...body, confirmation: null } })).status).toBe(403)
    expect((await thief.fetch(`/api/people/${path}`, { body })).status).toBe(400)
    const answers = [await confirm(thief), await confirm(joe)]
    for (const confirmation of answers) {
      expect((await thief.fetch(`/api/people/${path}`, { body: { ...body, confirmation } })).status).toBe(403)
    }
  }
  const once = { ...role, confirmation: await confirm(harness.maria) }
  const again = [1, 2].map(() => harness.maria.fetch('/api/people/role', { body: once }))
  expect((await Promise.all(again)).map(({ status }) => status).toSorted()).toEqual([200, 403])
})

test.each([
  ['remove', { name: 'Maria Lopez' }],
  ['role', { name: 'Maria Lopez', role: 'agent', seen: 'editor' }],
])('the last editor can’t %s themselves', async (path, body) => {
  expect(await refusalOf(send(path, body))).toEqual([409, expect.stringContaining('last editor')])
  expect((await harness.maria.fetch('/api/people')).status).toBe(200)
})

test.each([
  { name: '' },
  { name: '\u200b' },
  { name: 'A\nB' },
  { name: 'A'.repeat(81) },
  { languages: [] },
  { role: 'owner' },
])('an invitation with %o is refused', async wrong => {
  expect((await send('invite', { ...invitation, ...wrong })).status).toBe(400)
})
