import { expect, test, vi } from 'vitest'
import {
  type AuthenticatorOptions,
  confirm,
  createAuthenticator,
  createTestDesk,
  DESK,
  type DeskClient,
  register,
  signIn,
} from '../../../tests/support/desk.ts'
import { bodyOf, deskPerTest } from '../../../tests/support/desk-harness.ts'
import { PAGE_OF } from '../../limits.ts'

const harness = deskPerTest()

/** A client whose passkey isn't registered yet. */
const withPasskey = (options: Partial<AuthenticatorOptions> = {}): DeskClient =>
  Object.assign(harness.desk.client(), { authenticator: createAuthenticator({ origin: DESK, ...options }) })

interface Ceremony {
  readonly challengeId: string
  readonly options: never
}
const startCeremony = (client: DeskClient, path: string, body: object = {}) =>
  bodyOf<Ceremony>(client.fetch(`/api/session/${path}`, { body }))
const send = (client: DeskClient, path: string, body: object) => client.fetch(`/api/session/${path}`, { body })

async function expectRefused(request: Promise<Response>, status = 403, error = 'passkey refused') {
  const response = await request
  expect([response.status, await response.json()]).toMatchObject([status, { error }])
}

test('an invited person registers a passkey and can sign in with it later', async () => {
  const { desk } = harness
  const ann = desk.client()
  const token = await desk.invite('Ann Advisor', 'editor')
  // Opening the link doesn’t use it up.
  expect(await startCeremony(ann, 'invitation', { token })).toMatchObject({
    name: 'Ann Advisor',
    role: 'editor',
    replaces: false,
  })
  const registered = await register(ann, token)
  expect(await registered.json()).toMatchObject({ name: 'Ann Advisor', role: 'editor', demo: false })
  expect(registered.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-desk=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/),
    // For WebKit, which rejects secure cookies from http://localhost.
    expect.stringMatching(/^desk=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/),
  ])
  expect((await ann.fetch('/api/session')).status).toBe(200)
  expect((await send(ann, 'sign-out', {})).status).toBe(200)
  expect((await ann.fetch('/api/session')).status).toBe(401)
  expect((await signIn(ann)).status).toBe(200)
  expect(await bodyOf(ann.fetch('/api/session'))).toMatchObject({ name: 'Ann Advisor', role: 'editor' })
  const another = await desk.invite('Ann Advisor')
  expect(await startCeremony(ann, 'invitation', { token: another })).toMatchObject({ role: 'editor', replaces: true })
})

test('used invitations, made-up invitations, and replayed registrations are refused', async () => {
  const { desk } = harness
  const [ann, thief] = [desk.client(), desk.client()]
  const token = await desk.invite('Ann Advisor')
  const { challengeId, options } = await startCeremony(ann, 'invitation', { token })
  const body = { token, challengeId, answer: ann.authenticator.register(options) }
  expect((await send(ann, 'registration', body)).status).toBe(200)
  await expectRefused(send(ann, 'registration', body), 403, 'invitation invalid')
  for (const tried of [token, 'x', 'A'.repeat(43)]) {
    await expectRefused(register(thief, tried), 403, 'invitation invalid')
  }
  const again = await desk.invite('Ann Advisor')
  await expectRefused(send(ann, 'registration', { ...body, token: again }))
  expect((await ann.fetch('/api/session')).status).toBe(200)
})

test.each([true, false])('a passkey’s response works only once (passkey counts its uses: %s)', async counts => {
  const ann = withPasskey({ counts })
  await register(ann, await harness.desk.invite('Ann Advisor'))
  const { challengeId, options } = await startCeremony(ann, 'sign-in/options')
  const answer = ann.authenticator.signIn(options)
  expect((await send(ann, 'sign-in', { challengeId, answer })).status).toBe(200)
  const thief = harness.desk.client()
  await expectRefused(send(thief, 'sign-in', { challengeId, answer }))
  // The response doesn't work with another challenge, either.
  const other = await startCeremony(thief, 'sign-in/options')
  await expectRefused(send(thief, 'sign-in', { challengeId: other.challengeId, answer }))
  expect(thief.cookie).toBe('')
})

test('a challenge accepts one response, right or wrong, and works for only one purpose', async () => {
  const { maria } = harness
  const { challengeId, options } = await startCeremony(maria, 'sign-in/options')
  const right = maria.authenticator.signIn(options)
  const wrong = { ...right, response: { ...right.response, signature: 'AAAA' } }
  for (const answer of [wrong, right]) await expectRefused(send(maria, 'sign-in', { challengeId, answer }))
  const added = await startCeremony(maria, 'passkeys/options', { confirmation: await confirm(maria) })
  const body = { challengeId: added.challengeId, answer: maria.authenticator.signIn(added.options) }
  await expectRefused(send(maria, 'sign-in', body))
  const invited = await startCeremony(maria, 'invitation', { token: await harness.desk.invite('Maria Lopez') })
  const answer = withPasskey().authenticator.register(invited.options)
  await expectRefused(send(maria, 'passkeys', { challengeId: invited.challengeId, answer }))
})

test.each<[string, Partial<AuthenticatorOptions>]>([
  ['from another site', { origin: 'https://desk.evil.example' }],
  ['used without a fingerprint or PIN', { verifiesUser: false }],
])('a passkey %s is refused', async (_, options) => {
  await expectRefused(register(withPasskey(options), await harness.desk.invite('Ann Advisor')))
})

test('unknown and forged passkeys get the same refusal', async () => {
  const { desk, maria } = harness
  const stranger = desk.client()
  const unknown = await signIn(stranger)
  const forged = { ...maria, authenticator: { ...maria.authenticator } }
  forged.authenticator.signIn = options => {
    const { id } = maria.authenticator.signIn(options)
    return { ...stranger.authenticator.signIn(options), id, rawId: id }
  }
  const wrong = await signIn(forged)
  expect([unknown.status, await unknown.text()]).toEqual([403, await wrong.text()])
})

test('passkeys can be added and removed, except the last one', async () => {
  const { desk, maria } = harness
  const { challengeId, options } = await startCeremony(maria, 'passkeys/options', {
    confirmation: await confirm(maria),
  })
  expect(options).toMatchObject({ excludeCredentials: [{}] })
  const { authenticator } = withPasskey()
  const { passkeys } = await bodyOf<{ passkeys: readonly { id: string }[] }>(
    send(maria, 'passkeys', { challengeId, answer: authenticator.register(options) }),
  )
  expect(passkeys).toHaveLength(2)
  expect((await signIn({ ...desk.client(), authenticator })).status).toBe(200)
  const remove = async (id = '') => send(maria, `passkeys/${id}/remove`, { confirmation: await confirm(maria) })
  await expectRefused(send(maria, `passkeys/${passkeys[0]?.id}/remove`, { confirmation: null }))
  expect((await remove(passkeys[0]?.id)).status).toBe(200)
  Object.assign(maria, { authenticator })
  await expectRefused(remove(passkeys[1]?.id), 409, 'last passkey')
  await expectRefused(remove('unknown'), 404, 'not found')
  const { changes } = await bodyOf<{ changes: readonly object[] }>(maria.fetch('/api/people'))
  expect(changes).toMatchObject([
    { name: 'Maria Lopez', event: 'removed a passkey', by: 'Maria Lopez' },
    { name: 'Maria Lopez', event: 'added a passkey', by: 'Maria Lopez' },
    { event: 'joined' },
    { event: 'invited' },
  ])
})

test('a stolen cookie can’t add a passkey, not even with its own or a colleague’s', async () => {
  const { desk, maria } = harness
  const joe = await desk.signedIn('Joe', 'viewer')
  const thief = Object.assign(desk.client(), { cookie: maria.cookie, person: maria.person })
  const signInAnswer = await startCeremony(maria, 'sign-in/options')
  for (const confirmation of [
    null,
    await confirm(thief),
    await confirm(joe),
    // Maria’s answers to other questions.
    { challengeId: signInAnswer.challengeId, answer: maria.authenticator.signIn(signInAnswer.options) },
  ]) {
    await expectRefused(send(thief, 'passkeys/options', { confirmation }))
  }
  const { challengeId } = await confirm(joe)
  await expectRefused(
    send(thief, 'passkeys', { challengeId, answer: thief.authenticator.register({ user: {} } as never) }),
  )
})

test('a page that was loaded for someone else changes and shows nothing', async () => {
  const { desk, maria } = harness
  const bob = await desk.signedIn('Bob', 'editor')
  // Bob accepted an invitation in another tab of Maria's browser.
  const page = Object.assign(desk.client(), { cookie: bob.cookie, person: maria.person })
  const unnamed = Object.assign(desk.client(), { cookie: bob.cookie })
  for (const response of [
    await page.fetch('/api/session'),
    await unnamed.fetch(`/api/costs/export?from=2030-01&to=2030-01&${PAGE_OF}=${maria.person}`),
    await send(page, 'languages', { languages: ['es'] }),
    await send(unnamed, 'languages', { languages: ['es'] }),
  ]) {
    const message = expect.stringMatching(/^Bob is signed in now, so nothing is saved here/)
    expect([response.status, await response.json()]).toEqual([409, { error: 'someone else', message }])
  }
  expect(await bodyOf(bob.fetch('/api/session'))).toMatchObject({ name: 'Bob', languages: ['en'] })
  expect((await send(bob, 'languages', { languages: ['es'] })).status).toBe(200)
})

test('languages are bounded, and each is stored once', async () => {
  const { maria } = harness
  const choose = (languages: readonly string[]) => send(maria, 'languages', { languages })
  expect((await choose(Array(100_000).fill('en'))).status).toBe(400)
  expect(await bodyOf(choose(['es', 'es']))).toMatchObject({ languages: ['es'] })
})

test('except on localhost, only the secure cookie works', async () => {
  const desk = createTestDesk(harness.store, { origin: 'https://desk.example.org' })
  const ann = desk.client()
  const registered = await register(ann, await desk.invite('Ann Advisor'))
  expect(registered.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-desk=.*; Secure; SameSite=Strict$/),
  ])
  expect((await ann.fetch('/api/session')).status).toBe(200)
  ann.cookie = ann.cookie.replace('__Host-', '')
  expect((await ann.fetch('/api/session')).status).toBe(401)
})

test('sign-in attempts and challenges are rate-limited; successful sign-ins don’t count', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const desk = createTestDesk(harness.store)
  const ann = await desk.signedIn('Ann Advisor')
  for (let count = 0; count < 40; count++) expect((await signIn(ann)).status).toBe(200)
  const thief = desk.client()
  const tries = async () => (await send(thief, 'invitation', { token: 'x' })).status
  const challenges = async () => (await send(thief, 'sign-in/options', {})).status
  for (const [attempt, usual] of [
    [tries, 403],
    [challenges, 200],
  ] as const) {
    const statuses = []
    for (let count = 0; count < 61; count++) statuses.push(await attempt())
    expect(statuses).toEqual([...Array(60).fill(usual), 429])
    vi.advanceTimersByTime(600_001)
  }
  expect(await tries()).toBe(403)
  vi.useRealTimers()
})
