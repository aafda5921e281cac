import { expect, test } from 'vitest'
import { HOUR } from '../../../../domain/durations.ts'
import { accept, invite, joinDesk } from '../../../../tests/support/desk-accounts.ts'
import { onEachEngine } from '../../../../tests/support/store-engines.ts'

onEachEngine('the desk’s people', harness => {
  const { store } = harness
  const by = 'root@here'

  test('a removed person loses access immediately, is still listed, and can be invited again', async () => {
    await joinDesk(store, 'Ann')
    const { session } = await joinDesk(store, 'Maria Lopez')
    const pendingInvitation = await invite(store, 'Maria Lopez')
    const removed = await store.removePerson({ name: 'maria  LOPEZ', by })
    expect(removed).toMatchObject({ kind: 'removed', name: 'Maria Lopez', sessions: 1 })
    expect(await store.session(session)).toBeNull()
    expect(await store.passkey('Maria Lopez')).toBeNull()
    expect(await store.invitation(pendingInvitation)).toBeNull()
    expect(await store.beginSession({ tokenHash: 'x', ttlMs: HOUR, passkeyId: 'Maria Lopez', counter: 1 })).toBeNull()
    expect((await store.deskPeople())[1]).toMatchObject({ name: 'Maria Lopez', dismissedAt: expect.any(Number) })
    expect(await store.removePerson({ name: 'Nobody', by })).toEqual({ kind: 'unknown' })
    const again = await joinDesk(store, 'Maria Lopez', 'viewer')
    expect(await store.session(again.session)).toMatchObject({ person: { role: 'viewer' } })
    expect((await store.deskPeople())[1]).toMatchObject({ dismissedAt: null, passkeys: 1, sessions: 1 })
  })

  test('a new role applies to the session and to a pending link, and a colleague’s change isn’t overwritten', async () => {
    const ann = await joinDesk(store, 'Ann')
    const { id, session } = await joinDesk(store, 'Joe')
    const link = await invite(store, 'Joe')
    const order = { name: 'Joe', by: 'Ann', seen: 'editor', editorId: ann.id } as const
    expect(await store.changeRole({ ...order, role: 'agent' })).toEqual({ kind: 'changed' })
    expect(await store.session(session)).toMatchObject({ person: { role: 'agent' } })
    expect(await store.changeRole({ ...order, role: 'viewer' })).toEqual({ kind: 'changed since', role: 'agent' })
    expect(await store.changeRole({ ...order, name: 'Ann', editorId: id, role: 'viewer' })).toEqual({
      kind: 'not an editor',
    })
    expect(await accept(store, link, 'new key')).toMatchObject({ role: 'agent' })
  })

  test('the last editor can’t be removed or demoted, except in a terminal that insists', async () => {
    await joinDesk(store, 'Ann')
    await joinDesk(store, 'Joe', 'agent')
    // Someone who was invited as an editor, but never came, can’t let anyone in.
    await invite(store, 'Zoe', 'editor')
    const order = { name: 'Ann', by: 'Ann' }
    expect(await store.changeRole({ ...order, role: 'viewer', seen: 'editor' })).toEqual({ kind: 'last editor' })
    expect(await store.removePerson(order)).toEqual({ kind: 'last editor' })
    expect(await store.blockDevices({ ...order, tokenHash: 'new', ttlMs: HOUR })).toEqual({ kind: 'last editor' })
    // Nor by an invitation to a lower role.
    expect(await accept(store, await invite(store, 'Ann', 'viewer'), 'another key')).toMatchObject({ role: 'editor' })
    expect(await store.removePerson({ ...order, evenLastEditor: true })).toMatchObject({ kind: 'removed' })
  })

  test('blocking a lost device ends its sessions and passkeys at once, and the new link lets the person in', async () => {
    const ann = await joinDesk(store, 'Ann')
    const { session } = await joinDesk(store, 'Joe', 'agent')
    const order = { name: 'joe', by: 'Ann', editorId: ann.id, ttlMs: HOUR }
    const earlier = await invite(store, 'Joe')
    expect(await store.blockDevices({ ...order, tokenHash: 'new' })).toMatchObject({
      kind: 'blocked',
      person: { name: 'Joe', role: 'agent' },
    })
    expect(await store.session(session)).toBeNull()
    expect(await store.passkey('Joe')).toBeNull()
    expect(await store.invitation(earlier)).toBeNull()
    expect(await store.beginSession({ tokenHash: 'x', ttlMs: HOUR, passkeyId: 'Joe', counter: 1 })).toBeNull()
    const changes = (await store.deskChanges({ limit: 99 })).map(({ event, name, by }) => `${by} ${event} ${name}`)
    expect(changes).toContain('Ann blocked devices Joe')
    expect(await accept(store, 'new', 'his new phone')).toMatchObject({ name: 'Joe', role: 'agent' })
    await store.removePerson({ name: 'Joe', by })
    expect(await store.blockDevices({ ...order, tokenHash: 'again' })).toEqual({ kind: 'unknown' })
  })

  test('an invitation sets the languages and, for someone without a passkey, the role', async () => {
    const order = { tokenHash: 'a', ttlMs: HOUR, by, languages: ['en', 'es'] }
    await store.invite({ ...order, name: 'Joe', role: 'viewer' })
    await store.invite({ ...order, name: 'Joe', role: 'agent', tokenHash: 'b' })
    expect(await store.deskPeople()).toMatchObject([{ role: 'agent', languages: ['en', 'es'] }])
    await accept(store, 'b', 'joe')
    await invite(store, 'Joe', 'editor')
    expect(await store.deskPeople()).toMatchObject([{ name: 'Joe', role: 'agent' }])
  })

  test('every step is recorded, with who did it', async () => {
    await joinDesk(store, 'Ann')
    await joinDesk(store, 'Joe', 'agent')
    await store.changeRole({ name: 'Joe', by: 'Ann', role: 'viewer', seen: 'agent' })
    await store.signOut({ name: 'Joe', by: 'Ann' })
    await store.removePerson({ name: 'Joe', by: 'Ann' })
    const changes = (await store.deskChanges({ limit: 99 })).filter(({ name }) => name === 'Joe')
    expect(changes.map(({ event, by, role }) => [event, by, role]).toSorted()).toEqual([
      ['changed role', 'Ann', 'viewer'],
      ['invited', by, 'agent'],
      ['joined', 'Joe', 'agent'],
      ['removed', 'Ann', null],
      ['signed out', 'Ann', null],
    ])
  })

  test('shows when someone was last active, written at most once per interval', async () => {
    await invite(store, 'Ann')
    const lastActive = async () => (await store.deskPeople())[0]?.lastActiveAt
    expect(await lastActive()).toBeNull()
    const { id: personId } = await joinDesk(store, 'Ann')
    const first = await lastActive()
    expect(first).toEqual(expect.any(Number))
    await store.recordActivity({ personId, intervalMs: HOUR })
    expect(await lastActive()).toBe(first)
    await harness.change('UPDATE desk_people SET last_active_at = 5')
    await store.recordActivity({ personId, intervalMs: HOUR })
    expect(await lastActive()).toBeGreaterThan(5)
  })
})
