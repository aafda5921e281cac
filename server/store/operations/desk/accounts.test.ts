import { expect, test } from 'vitest'
import { DEMO_CALLING_HOURS as hours } from '../../../../domain/calling/hours.ts'
import { HOUR } from '../../../../domain/durations.ts'
import { accept, invite, joinDesk, passkeyOf, signIn } from '../../../../tests/support/desk-accounts.ts'
import { onEachEngine } from '../../../../tests/support/store-engines.ts'

onEachEngine('desk accounts', harness => {
  const { store } = harness

  test('an invitation can be used only once, even if two people accept it at the same time', async () => {
    const tokenHash = await invite(store, '  Maria   Lopez ', 'editor')
    expect(await store.invitation(tokenHash)).toMatchObject({
      person: { name: 'Maria Lopez', role: 'editor' },
      passkeys: 0,
    })
    const other = await harness.openAnother()
    const accepted = await Promise.all([accept(store, tokenHash, 'a'), accept(other, tokenHash, 'b')])
    expect(accepted.filter(person => person !== null)).toMatchObject([{ name: 'Maria Lopez' }])
    expect(await store.passkey(accepted[0] === null ? 'a' : 'b')).toBeNull()
    expect([await store.invitation(tokenHash), await accept(store, tokenHash, 'c')]).toEqual([null, null])
  })

  test('if two invitees send the same credential ID at the same time, one gets in and the other can try again', async () => {
    const other = await harness.openAnother()
    for (let round = 0; round < 12; round++) {
      const id = `same-${round}`
      const tokens = [await invite(store, `Ann ${round}`), await invite(store, `Bob ${round}`)] as const
      const [ann, bob] = await Promise.all([accept(store, tokens[0], id), accept(other, tokens[1], id)])
      const [winner] = [ann, bob].filter(person => person !== null)
      expect([ann, bob].filter(person => person === null)).toHaveLength(1)
      expect((await store.passkey(id))?.person.id).toBe(winner?.id)
      expect(await store.invitation(ann === null ? tokens[0] : tokens[1])).not.toBeNull()
    }
  })

  test('invitations, challenges, and sessions expire, and a challenge can be used only once', async () => {
    const { session: validSession } = await joinDesk(store, 'Maria Lopez', 'editor', 'a')
    const [expiredInvitation, expiredSession] = [await invite(store, 'Joe', null, 0), await signIn(store, 'a', 0)]
    const challenge = { challenge: 'abc', purpose: 'add a passkey', personId: 'p' } as const
    await store.addChallenge({ ...challenge, id: 'late', ttlMs: 0 })
    expect(await store.invitation(expiredInvitation)).toBeNull()
    expect(await accept(store, expiredInvitation, 'b')).toBeNull()
    expect(await store.takeChallenge('late')).toBeNull()
    expect(await store.session(expiredSession)).toBeNull()
    expect(await store.session(validSession)).not.toBeNull()
    await store.addChallenge({ ...challenge, id: 'one', ttlMs: HOUR })
    expect([await store.takeChallenge('one'), await store.takeChallenge('one')]).toEqual([challenge, null])
  })

  test('people are viewers by default; a second invitation replaces the first and keeps the role unless it sets another', async () => {
    const viewer = await invite(store, 'Joe')
    expect((await store.invitation(viewer))?.person.role).toBe('viewer')
    const first = await invite(store, 'Maria Lopez', 'editor')
    const second = await invite(store, 'maria lopez')
    expect(await store.invitation(first)).toBeNull()
    expect((await store.invitation(second))?.person).toMatchObject({ name: 'Maria Lopez', role: 'editor' })
    expect(await store.deskPeople()).toHaveLength(2)
  })

  test('accepting a new invitation revokes earlier passkeys and sessions; until then, nothing changes', async () => {
    await joinDesk(store, 'Ann')
    const { session: before } = await joinDesk(store, 'Maria Lopez', 'editor', 'lost')
    const recovery = await invite(store, 'Maria Lopez', 'viewer')
    expect(await store.session(before)).toMatchObject({ person: { role: 'editor' } })
    await accept(store, recovery, 'found')
    expect(await store.session(before)).toBeNull()
    expect(await store.passkey('lost')).toBeNull()
    expect(await store.passkey('found')).toMatchObject({ person: { name: 'Maria Lopez', role: 'viewer' } })
  })

  test('a second passkey signs in the same person, and a person’s last passkey can’t be removed', async () => {
    const { id: personId, session: sessionHash } = await joinDesk(store, 'Maria Lopez', 'editor', 'a')
    expect(await store.addPasskey({ personId, sessionHash, passkey: passkeyOf('b') })).toBe('added')
    expect(await store.addPasskey({ personId, sessionHash, passkey: passkeyOf('b') })).toBe('known')
    expect(await store.session(await signIn(store, 'b', HOUR, 7))).toMatchObject({ person: { id: personId } })
    expect(await store.passkey('b')).toMatchObject({ counter: 7, lastUsedAt: expect.any(Number), synced: true })
    expect(await store.removePasskey({ personId: 'another', id: 'a' })).toBe('unknown')
    expect(await store.removePasskey({ personId, id: 'a' })).toBe('removed')
    expect(await store.removePasskey({ personId, id: 'b' })).toBe('last')
  })

  test('a passkey that counts is never used with a count it had before; one that doesn’t stays at 0', async () => {
    await joinDesk(store, 'Ann', 'viewer', 'a')
    const begin = (counter: number) =>
      store.beginSession({ tokenHash: `s${counter}`, ttlMs: HOUR, passkeyId: 'a', counter })
    expect(await begin(0)).not.toBeNull()
    // All of these were checked against a count of 0, before one of them was stored.
    expect(await begin(6)).not.toBeNull()
    for (const copied of [6, 5, 0]) {
      expect([await begin(copied), await store.countPasskey({ id: 'a', counter: copied })]).toEqual([null, false])
    }
    expect(await store.countPasskey({ id: 'a', counter: 7 })).toBe(true)
    expect(await store.passkey('a')).toMatchObject({ counter: 7 })
  })

  test('an ended session can’t add a passkey, even in a race', async () => {
    const other = await harness.openAnother()
    for (const turn of [1, 2, 3, 4, 5]) {
      const { id: personId, session: stolen } = await joinDesk(store, 'Maria Lopez', 'editor', `a${turn}`)
      const request = { personId, sessionHash: stolen, passkey: passkeyOf(`thief${turn}`) }
      const second = await invite(store, 'Maria Lopez', 'editor')
      await Promise.all([other.addPasskey(request), accept(store, second, `b${turn}`)])
      expect((await store.passkeysOf(personId)).map(({ id }) => id)).toEqual([`b${turn}`])
      expect(await other.addPasskey(request)).toBe('session ended')
    }
  })

  test('signing out ends one session, or all of a person’s sessions; the last one leaves the open call to others', async () => {
    const { id, session: first } = await joinDesk(store, 'Maria Lopez', 'editor', 'a')
    const [second, joe] = [await signIn(store, 'a'), await joinDesk(store, 'Joe')]
    const { id: leadId } = await harness.capture('ada')
    await store.claimCall({ leadId, person: { id, name: 'Maria Lopez' }, takeOver: false })
    const whose = async () => (await store.callState({ leadId, personId: id, hours }))?.whose.kind
    await store.endSession(first)
    expect([await store.session(first), await store.session(second)]).toEqual([null, expect.anything()])
    expect(await whose()).toBe('open')
    await store.endSession(second)
    expect(await whose()).toBe('free')
    const third = await signIn(store, 'a')
    expect(await store.signOut({ name: 'MARIA LOPEZ', by: 'root' })).toMatchObject({ name: 'Maria Lopez', sessions: 1 })
    expect(await store.session(third)).toBeNull()
    expect(await store.session(joe.session)).not.toBeNull()
    expect(await store.session(await signIn(store, 'a'))).not.toBeNull()
  })
})
