/** Desk accounts in a store: invitations, passkeys, and sessions, without a browser. */
import { HOUR } from '../../domain/durations.ts'
import type { DeskRole } from '../../domain/roles.ts'
import { createToken } from '../../server/store/operations/desk/accounts.ts'
import type { Store } from '../../server/store/store.ts'

export const passkeyOf = (id: string) => ({ id, publicKey: 'AAAA', counter: 0, transports: ['internal'], synced: true })

/** Returns the hash of the invitation's token. */
export async function invite(store: Store, name: string, role: DeskRole | null = null, ttlMs = HOUR) {
  const { hash } = createToken()
  await store.invite({ name, role, tokenHash: hash, ttlMs, by: 'root@here' })
  return hash
}

export const accept = (store: Store, tokenHash: string, passkeyId: string) =>
  store.acceptInvitation({ tokenHash, passkey: passkeyOf(passkeyId) })

async function beginSession(store: Store, passkeyId: string, ttlMs = HOUR, counter = 0) {
  const { token, hash } = createToken()
  await store.beginSession({ tokenHash: hash, ttlMs, passkeyId, counter })
  return { token, session: hash }
}

/** Returns the hash of the session's token. */
export const signIn = async (...session: Parameters<typeof beginSession>) => (await beginSession(...session)).session

/** Someone who has a passkey, by default with their name as its ID, and is signed in. */
export async function joinDesk(store: Store, name: string, role: DeskRole = 'editor', passkeyId = name) {
  const person = await accept(store, await invite(store, name, role), passkeyId)
  return { id: person?.id ?? '', ...(await beginSession(store, passkeyId)) }
}
