import { expect, test } from 'vitest'
import { HOUR } from '../../../domain/durations.ts'
import { onEachEngine } from '../../../tests/support/store-engines.ts'
import { createToken } from './accounts.ts'

const passkey = (id: string) => ({ id, publicKey: 'AAAA', counter: 0, transports: ['internal'], synced: true })

onEachEngine('desk accounts', harness => {
  const { store } = harness
  const invite = async (name: string, role: 'viewer' | 'editor' | null = null, ttlMs = HOUR) => {
    const { hash } = createToken()
    await store.invite({ name, role, tokenHash: hash, ttlMs, by: 'root@here' })
    return hash
  }
  const accept = (tokenHash: string, id: string, from = store) =>
    from.acceptInvitation({ tokenHash, passkey: passkey(id) })
  const signIn = async (passkeyId: string, ttlMs = HOUR, counter = 1) => {
    const { hash } = createToken()
    await store.beginSession({ tokenHash: hash, ttlMs, passkeyId, counter })
    return hash
  }
  const join = async (name: string, passkeyId: string) => {
    await accept(await invite(name, 'editor'), passkeyId)
    return signIn(passkeyId)
  }

  test('an invitation can be used only once', async () => {
    const tokenHash = await invite('  Maria   Lopez ', 'editor')
    expect(await store.invitation(tokenHash)).toMatchObject({
      person: { name: 'Maria Lopez', role: 'editor' },
      passkeys: 0,
    })
    expect(await accept(tokenHash, 'a')).toMatchObject({ name: 'Maria Lopez' })
    expect(await store.invitation(tokenHash)).toBeNull()
    expect(await accept(tokenHash, 'b')).toBeNull()
    expect(await store.passkey('b')).toBeNull()
  })

  test('if two people accept the same invitation at the same time, only one gets in', async () => {
    const tokenHash = await invite('Maria Lopez')
    const other = await harness.openAnother()
    const accepted = await Promise.all([accept(tokenHash, 'a'), accept(tokenHash, 'b', other)])
    expect(accepted.filter(person => person !== null)).toHaveLength(1)
  })

  test('if two invitees send the same credential ID at the same time, one gets in and the other can try again', async () => {
    const other = await harness.openAnother()
    for (let round = 0; round < 12; round++) {
      const id = `same-${round}`
      const tokens = [await invite(`Ann ${round}`), await invite(`Bob ${round}`)] as const
      const [ann, bob] = await Promise.all([accept(tokens[0], id), accept(tokens[1], id, other)])
      const [winner] = [ann, bob].filter(person => person !== null)
      expect([ann, bob].filter(person => person === null)).toHaveLength(1)
      expect((await store.passkey(id))?.person.id).toBe(winner?.id)
      expect(await store.invitation(ann === null ? tokens[0] : tokens[1])).not.toBeNull()
    }
  })

  test('invitations, challenges, and sessions expire', async () => {
    const validSession = await join('Maria Lopez', 'a')
    const [expiredInvitation, expiredSession] = [await invite('Joe', null, 0), await signIn('a', 0)]
    await store.addChallenge({ id: 'late', challenge: 'x', purpose: 'sign in', personId: null, ttlMs: 0 })
    expect(await store.invitation(expiredInvitation)).toBeNull()
    expect(await accept(expiredInvitation, 'b')).toBeNull()
    expect(await store.takeChallenge('late')).toBeNull()
    expect(await store.session(expiredSession)).toBeNull()
    expect(await store.session(validSession)).not.toBeNull()
  })

  test('people are viewers by default; a second invitation replaces the first and keeps the role unless it sets another', async () => {
    const viewer = await invite('Joe')
    expect((await store.invitation(viewer))?.person.role).toBe('viewer')
    const first = await invite('Maria Lopez', 'editor')
    const second = await invite('maria lopez')
    expect(await store.invitation(first)).toBeNull()
    expect((await store.invitation(second))?.person).toMatchObject({ name: 'Maria Lopez', role: 'editor' })
    expect(await store.deskPeople()).toHaveLength(2)
  })

  test('accepting a new invitation revokes earlier passkeys and sessions; until then, nothing changes', async () => {
    await join('Ann', 'another editor')
    const before = await join('Maria Lopez', 'lost')
    const recovery = await invite('Maria Lopez', 'viewer')
    expect(await store.session(before)).toMatchObject({ person: { role: 'editor' } })
    await accept(recovery, 'found')
    expect(await store.session(before)).toBeNull()
    expect(await store.passkey('lost')).toBeNull()
    expect(await store.passkey('found')).toMatchObject({ person: { name: 'Maria Lopez', role: 'viewer' } })
  })

  test('a challenge can be used only once', async () => {
    const challenge = { challenge: 'abc', purpose: 'add a passkey', personId: 'p' } as const
    await store.addChallenge({ ...challenge, id: 'one', ttlMs: HOUR })
    expect(await store.takeChallenge('one')).toEqual(challenge)
    expect(await store.takeChallenge('one')).toBeNull()
  })

  test('signing in updates the passkey’s counter and last-used time', async () => {
    await join('Maria Lopez', 'a')
    await signIn('a', HOUR, 7)
    expect(await store.passkey('a')).toMatchObject({ counter: 7, lastUsedAt: expect.any(Number), synced: true })
  })

  test('a second passkey signs in the same person, and a person’s last passkey can’t be removed', async () => {
    const sessionHash = await join('Maria Lopez', 'a')
    const personId = (await store.session(sessionHash))?.person.id ?? ''
    expect(await store.addPasskey({ personId, sessionHash, passkey: passkey('b') })).toBe('added')
    expect(await store.addPasskey({ personId, sessionHash, passkey: passkey('b') })).toBe('known')
    expect(await store.session(await signIn('b'))).toMatchObject({ person: { id: personId } })
    expect(await store.removePasskey({ personId: 'another', id: 'a' })).toBe('unknown')
    expect(await store.removePasskey({ personId, id: 'a' })).toBe('removed')
    expect(await store.removePasskey({ personId, id: 'b' })).toBe('last')
  })

  test('an ended session can’t add a passkey, even in a race', async () => {
    const other = await harness.openAnother()
    for (const turn of [1, 2, 3, 4, 5]) {
      const stolen = await join('Maria Lopez', `a${turn}`)
      const personId = (await store.session(stolen))?.person.id ?? ''
      const request = { personId, sessionHash: stolen, passkey: passkey(`thief${turn}`) }
      const second = await invite('Maria Lopez', 'editor')
      await Promise.all([other.addPasskey(request), accept(second, `b${turn}`)])
      expect((await store.passkeysOf(personId)).map(({ id }) => id)).toEqual([`b${turn}`])
      expect(await other.addPasskey(request)).toBe('session ended')
    }
  })

  test('signing out ends one session, or all of a person’s sessions', async () => {
    const [first, second] = [await join('Maria Lopez', 'a'), await signIn('a')]
    const joesSession = await join('Joe', 'j')
    await store.endSession(first)
    expect([await store.session(first), await store.session(second)]).toEqual([null, expect.anything()])
    expect(await store.signOut({ name: 'MARIA LOPEZ', by: 'root' })).toMatchObject({ name: 'Maria Lopez', sessions: 1 })
    expect(await store.session(second)).toBeNull()
    expect(await store.session(joesSession)).not.toBeNull()
    expect(await store.session(await signIn('a'))).not.toBeNull()
  })
})
