import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  createAuthenticator,
  DESK,
  type DeskUnderTest,
  deskOver,
  register,
  signIn,
  type Visitor,
} from '../../../tests/support/desk.ts'
import { engines, type OpenEngine } from '../../../tests/support/store-engines.ts'

describe('signing in', () => {
  let open: OpenEngine
  let desk: DeskUnderTest
  let maria: Visitor

  beforeEach(async () => {
    open = await (engines[0] as (typeof engines)[0]).open()
    desk = deskOver(open.store)
    maria = desk.visitor()
  })
  afterEach(() => open.remove())

  const refusal = async (answer: Response) => [answer.status, ((await answer.json()) as { error: string }).error]

  test('an invitation becomes a passkey, and the passkey signs in at any later time', async () => {
    const token = await desk.invite('Maria Lopez', 'editor')
    // Opening the link doesn’t use it up.
    const opened = await maria.ask('/api/session/invitation', { body: { token } })
    expect(await opened.json()).toMatchObject({ name: 'Maria Lopez', role: 'editor', replaces: false })
    const registered = await register(maria, token)
    expect(await registered.json()).toMatchObject({ name: 'Maria Lopez', role: 'editor', demo: false })
    expect(registered.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-desk=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/),
      // For WebKit, which rejects secure cookies from http://localhost.
      expect.stringMatching(/^desk=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/),
    ])
    expect((await maria.ask('/api/session')).status).toBe(200)
    expect((await maria.ask('/api/session/sign-out', { body: {} })).status).toBe(200)
    expect((await maria.ask('/api/session')).status).toBe(401)
    expect((await signIn(maria)).status).toBe(200)
    expect(await (await maria.ask('/api/session')).json()).toMatchObject({ name: 'Maria Lopez', role: 'editor' })
  })

  test('used and made-up invitations are refused', async () => {
    const token = await desk.invite('Maria Lopez')
    await register(maria, token)
    const thief = desk.visitor()
    for (const tried of [token, 'x', 'A'.repeat(43)]) {
      expect(await refusal(await register(thief, tried))).toEqual([403, 'invitation invalid'])
    }
    expect((await maria.ask('/api/session')).status).toBe(200)
  })

  test('a replayed registration is refused, even with a new invitation', async () => {
    const token = await desk.invite('Maria Lopez')
    const { challengeId, options } = (await (
      await maria.ask('/api/session/invitation', { body: { token } })
    ).json()) as never
    const body = { token, challengeId, answer: maria.authenticator.register(options) }
    expect((await maria.ask('/api/session/registration', { body })).status).toBe(200)
    expect(await refusal(await maria.ask('/api/session/registration', { body }))).toEqual([403, 'invitation invalid'])
    const again = await desk.invite('Maria Lopez')
    const replayed = await maria.ask('/api/session/registration', { body: { ...body, token: again } })
    expect(await refusal(replayed)).toEqual([403, 'passkey refused'])
  })

  test.each([true, false])('a passkey’s response works once (it counts its uses: %s)', async counts => {
    const someone = { ...maria, authenticator: createAuthenticator({ origin: DESK, counts }) }
    await register(someone, await desk.invite('Maria Lopez'))
    const offered = (await (await maria.ask('/api/session/sign-in/options', { body: {} })).json()) as {
      challengeId: string
      options: never
    }
    const body = { challengeId: offered.challengeId, answer: someone.authenticator.signIn(offered.options) }
    expect((await maria.ask('/api/session/sign-in', { body })).status).toBe(200)
    const thief = desk.visitor()
    expect(await refusal(await thief.ask('/api/session/sign-in', { body }))).toEqual([403, 'passkey refused'])
    // Nor with someone else's challenge.
    const other = (await (await thief.ask('/api/session/sign-in/options', { body: {} })).json()) as typeof offered
    const replayed = await thief.ask('/api/session/sign-in', { body: { ...body, challengeId: other.challengeId } })
    expect(await refusal(replayed)).toEqual([403, 'passkey refused'])
    expect(thief.cookie).toBe('')
  })

  test('a challenge is used up by the first response, even a wrong one', async () => {
    await register(maria, await desk.invite('Maria Lopez'))
    const offered = (await (await maria.ask('/api/session/sign-in/options', { body: {} })).json()) as {
      challengeId: string
      options: never
    }
    const right = maria.authenticator.signIn(offered.options)
    const wrong = { ...right, response: { ...right.response, signature: 'AAAA' } }
    for (const answer of [wrong, right]) {
      const body = { challengeId: offered.challengeId, answer }
      expect(await refusal(await maria.ask('/api/session/sign-in', { body }))).toEqual([403, 'passkey refused'])
    }
  })

  test('a challenge works for one purpose only', async () => {
    await register(maria, await desk.invite('Maria Lopez'))
    const { challengeId, options } = (await (
      await maria.ask('/api/session/passkeys/options', { body: {} })
    ).json()) as never
    const body = { challengeId, answer: maria.authenticator.signIn(options) }
    expect(await refusal(await maria.ask('/api/session/sign-in', { body }))).toEqual([403, 'passkey refused'])
  })

  test.each([
    ['of a page elsewhere', { origin: 'https://desk.evil.example' }],
    ['that asked for neither finger nor PIN', { origin: DESK, verifiesUser: false }],
  ])('a passkey %s is refused', async (_, options) => {
    const someone = { ...maria, authenticator: createAuthenticator(options) }
    expect(await refusal(await register(someone, await desk.invite('Maria Lopez')))).toEqual([403, 'passkey refused'])
  })

  test('unknown and forged passkeys get the same refusal', async () => {
    await register(maria, await desk.invite('Maria Lopez'))
    const stranger = desk.visitor()
    const unknown = await signIn(stranger)
    const forged = { ...maria, authenticator: { ...maria.authenticator } }
    forged.authenticator.signIn = options => ({
      ...stranger.authenticator.signIn(options),
      id: maria.authenticator.signIn(options).id,
      rawId: maria.authenticator.signIn(options).id,
    })
    const wrong = await signIn(forged)
    expect([unknown.status, await unknown.text()]).toEqual([403, await wrong.text()])
  })

  test('a second passkey can be added and removed; the last one stays', async () => {
    await register(maria, await desk.invite('Maria Lopez'))
    const offered = (await (await maria.ask('/api/session/passkeys/options', { body: {} })).json()) as {
      challengeId: string
      options: PublicKeyCredentialCreationOptionsJSON
    }
    expect(offered.options.excludeCredentials).toHaveLength(1)
    const second = createAuthenticator({ origin: DESK })
    const body = { challengeId: offered.challengeId, answer: second.register(offered.options) }
    const { passkeys } = (await (await maria.ask('/api/session/passkeys', { body })).json()) as {
      passkeys: readonly { id: string }[]
    }
    expect(passkeys).toHaveLength(2)
    expect((await signIn({ ...desk.visitor(), authenticator: second })).status).toBe(200)
    const remove = (id: string | undefined) => maria.ask(`/api/session/passkeys/${id}`, { method: 'DELETE' })
    expect((await remove(passkeys[0]?.id)).status).toBe(200)
    expect(await refusal(await remove(passkeys[1]?.id))).toEqual([409, 'last passkey'])
    expect(await refusal(await remove('unknown'))).toEqual([404, 'not found'])
  })

  test('recovery: using a new invitation ends old sessions and passkeys', async () => {
    await register(maria, await desk.invite('Maria Lopez', 'editor'))
    const token = await desk.invite('Maria Lopez')
    expect((await maria.ask('/api/session')).status).toBe(200)
    const onNewPhone = desk.visitor()
    const opened = await onNewPhone.ask('/api/session/invitation', { body: { token } })
    expect(await opened.json()).toMatchObject({ role: 'editor', replaces: true })
    expect((await register(onNewPhone, token)).status).toBe(200)
    expect((await maria.ask('/api/session')).status).toBe(401)
    expect((await signIn(maria)).status).toBe(403)
  })
})

test('except on localhost, only the secure cookie works', async () => {
  const open = await (engines[0] as (typeof engines)[0]).open()
  const desk = deskOver(open.store, { origin: 'https://desk.example.org' })
  const maria = desk.visitor()
  const registered = await register(maria, await desk.invite('Maria Lopez'))
  expect(registered.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-desk=.*; Secure; SameSite=Strict$/),
  ])
  expect((await maria.ask('/api/session')).status).toBe(200)
  maria.cookie = maria.cookie.replace('__Host-', '')
  expect((await maria.ask('/api/session')).status).toBe(401)
  await open.remove()
})

test('sign-in attempts and challenges are limited; successful sign-ins don’t count', async () => {
  const open = await (engines[0] as (typeof engines)[0]).open()
  let time = 0
  const desk = deskOver(open.store, { now: () => time })
  const maria = await desk.signedIn('Maria Lopez')
  for (let again = 0; again < 40; again++) expect((await signIn(maria)).status).toBe(200)
  const thief = desk.visitor()
  const tries = async () => (await thief.ask('/api/session/invitation', { body: { token: 'x' } })).status
  const challenges = async () => (await thief.ask('/api/session/sign-in/options', { body: {} })).status
  for (const [attempt, usual] of [
    [tries, 403],
    [challenges, 200],
  ] as const) {
    const answers = []
    for (let again = 0; again < 61; again++) answers.push(await attempt())
    expect(new Set(answers.slice(0, 60))).toEqual(new Set([usual]))
    expect(answers[60]).toBe(429)
    time += 600_001
  }
  expect(await tries()).toBe(403)
  await open.remove()
})
