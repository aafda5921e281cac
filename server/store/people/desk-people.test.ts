import { expect, test } from 'vitest'
import { HOUR } from '../../../domain/durations.ts'
import type { DeskRole } from '../../../domain/roles.ts'
import { onEachEngine } from '../../../tests/support/store-engines.ts'
import type { Store } from '../store.ts'
import { createToken } from './accounts.ts'

onEachEngine('the desk’s people', harness => {
  const { store } = harness
  const by = 'root@here'
  const invite = async (name: string, role: DeskRole | null = null, ttlMs = HOUR) => {
    const { hash } = createToken()
    await store.invite({ name, role, tokenHash: hash, ttlMs, by })
    return hash
  }
  const accept = (tokenHash: string, id: string) =>
    store.acceptInvitation({
      tokenHash,
      passkey: { id, publicKey: 'AAAA', counter: 0, transports: ['internal'], synced: true },
    })
  /** Returns the ID. */
  const join = async (name: string, role: DeskRole, passkeyId = name) =>
    (await accept(await invite(name, role), passkeyId))?.id ?? ''
  const signIn = async (passkeyId: string) => {
    const { hash } = createToken()
    await store.beginSession({ tokenHash: hash, ttlMs: HOUR, passkeyId, counter: 1 })
    return hash
  }
  const roles = async () => Object.fromEntries((await store.deskPeople()).map(({ name, role }) => [name, role]))

  test('a removed person loses access immediately, is still listed, and can be invited again', async () => {
    await join('Ann', 'editor')
    await join('Maria Lopez', 'editor')
    const session = await signIn('Maria Lopez')
    const pendingInvitation = await invite('Maria Lopez')
    const removed = await store.removePerson({ name: 'maria  LOPEZ', by })
    expect(removed).toMatchObject({ kind: 'removed', name: 'Maria Lopez', sessions: 1 })
    expect(await store.session(session)).toBeNull()
    expect(await store.passkey('Maria Lopez')).toBeNull()
    expect(await store.invitation(pendingInvitation)).toBeNull()
    expect(await store.beginSession({ tokenHash: 'x', ttlMs: HOUR, passkeyId: 'Maria Lopez', counter: 1 })).toBeNull()
    expect((await store.deskPeople())[1]).toMatchObject({ name: 'Maria Lopez', dismissedAt: expect.any(Number) })
    expect(await store.removePerson({ name: 'Nobody', by })).toEqual({ kind: 'unknown' })
    await join('Maria Lopez', 'viewer')
    expect(await store.session(await signIn('Maria Lopez'))).toMatchObject({ person: { role: 'viewer' } })
    expect((await store.deskPeople())[1]).toMatchObject({ dismissedAt: null, passkeys: 1, sessions: 1 })
  })

  test('a new role applies to the session and to a pending link, and a colleague’s change isn’t overwritten', async () => {
    await join('Ann', 'editor')
    await join('Joe', 'editor')
    const [session, link] = [await signIn('Joe'), await invite('Joe')]
    const order = { name: 'Joe', by: 'Ann', seen: 'editor' } as const
    expect(await store.changeRole({ ...order, role: 'caller' })).toEqual({ kind: 'changed' })
    expect(await store.session(session)).toMatchObject({ person: { role: 'caller' } })
    expect(await store.changeRole({ ...order, role: 'viewer' })).toEqual({ kind: 'changed since', role: 'caller' })
    expect(await accept(link, 'new key')).toMatchObject({ role: 'caller' })
  })

  test('the last editor can’t be removed or demoted, except in a terminal that insists', async () => {
    await join('Ann', 'editor')
    await join('Joe', 'caller')
    // Someone who was invited as an editor, but never came, can’t let anyone in.
    await invite('Zoe', 'editor')
    const order = { name: 'Ann', by: 'Ann' }
    expect(await store.changeRole({ ...order, role: 'viewer', seen: 'editor' })).toEqual({ kind: 'last editor' })
    expect(await store.removePerson(order)).toEqual({ kind: 'last editor' })
    // Nor by an invitation to a lower role.
    expect(await accept(await invite('Ann', 'viewer'), 'another key')).toMatchObject({ role: 'editor' })
    expect(await store.removePerson({ ...order, evenLastEditor: true })).toMatchObject({ kind: 'removed' })
  })

  test.each(['remove', 'demote'])('two editors who %s each other at the same time leave one', async how => {
    const other = await harness.openAnother()
    const end = (from: Store, editorId: string, by: string, name: string) =>
      how === 'remove'
        ? from.removePerson({ name, by, editorId })
        : from.changeRole({ name, by, editorId, role: 'caller', seen: 'editor' })
    for (let round = 0; round < 6; round++) {
      const [ann, joe] = [await join('Ann', 'editor', `a${round}`), await join('Joe', 'editor', `j${round}`)]
      const ended = await Promise.all([end(store, ann, 'Ann', 'Joe'), end(other, joe, 'Joe', 'Ann')])
      expect(ended.filter(({ kind }) => kind === 'removed' || kind === 'changed')).toHaveLength(1)
      expect(ended.filter(({ kind }) => kind === 'not an editor')).toHaveLength(1)
    }
  })

  test('an invitation sets the languages and, for someone without a passkey, the role', async () => {
    const order = { tokenHash: 'a', ttlMs: HOUR, by, languages: ['en', 'es'] }
    await store.invite({ ...order, name: 'Joe', role: 'viewer' })
    await store.invite({ ...order, name: 'Joe', role: 'caller', tokenHash: 'b' })
    expect(await store.deskPeople()).toMatchObject([{ role: 'caller', languages: ['en', 'es'] }])
    await accept('b', 'joe')
    await invite('Joe', 'editor')
    expect(await roles()).toEqual({ Joe: 'caller' })
  })

  test('every step is recorded, with who did it', async () => {
    await join('Ann', 'editor')
    await join('Joe', 'caller')
    await store.changeRole({ name: 'Joe', by: 'Ann', role: 'viewer', seen: 'caller' })
    await store.signOut({ name: 'Joe', by: 'Ann' })
    await store.removePerson({ name: 'Joe', by: 'Ann' })
    const changes = (await store.deskChanges({ limit: 99 })).filter(({ name }) => name === 'Joe')
    expect(changes.map(({ event, by, role }) => [event, by, role]).toSorted()).toEqual([
      ['changed role', 'Ann', 'viewer'],
      ['invited', by, 'caller'],
      ['joined', 'Joe', 'caller'],
      ['removed', 'Ann', null],
      ['signed out', 'Ann', null],
    ])
  })

  test('shows when someone was last active, written at most once per interval', async () => {
    const personId = await join('Ann', 'editor')
    const lastActive = async () => (await store.deskPeople())[0]?.lastActiveAt
    expect(await lastActive()).toBeNull()
    await store.recordActivity({ personId, intervalMs: HOUR })
    const first = await lastActive()
    expect(first).toEqual(expect.any(Number))
    await store.recordActivity({ personId, intervalMs: HOUR })
    expect(await lastActive()).toBe(first)
    await harness.change('UPDATE desk_people SET last_active_at = 5')
    await store.recordActivity({ personId, intervalMs: HOUR })
    expect(await lastActive()).toBeGreaterThan(5)
  })
})
