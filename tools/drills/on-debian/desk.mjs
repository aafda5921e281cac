/** Signs an editor in without a browser, and prints what the desk shows of its leads, through nginx. */
import { request } from 'node:https'
import { text } from 'node:stream/consumers'

const server = '/srv/ssdi-advocate/current/server'
const { loadConfig } = await import(`${server}/settings/config.ts`)
const { connectStore } = await import(`${server}/store/open-store.ts`)
const { createToken } = await import(`${server}/store/operations/desk/accounts.ts`)

const store = await connectStore(loadConfig(), { access: 'write' })
const [invitation, session] = [createToken(), createToken()]
const id = session.hash.slice(0, 8)
const passkey = { id, publicKey: 'AAAA', counter: 0, transports: ['internal'], synced: true }
await store.invite({ name: id, role: 'editor', tokenHash: invitation.hash, ttlMs: 60_000, by: 'root@here' })
const person = await store.acceptInvitation({ tokenHash: invitation.hash, passkey })
await store.beginSession({ tokenHash: session.hash, ttlMs: 60_000, passkeyId: id, counter: 0 })
await store.close()
const headers = {
  host: 'desk.acme.test',
  origin: 'https://desk.acme.test',
  cookie: `__Host-desk=${session.token}`,
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/json',
  'page-of': person.id,
}
const options = { host: '127.0.0.1', servername: 'desk.acme.test', rejectUnauthorized: false, headers }
request({ ...options, method: 'POST', path: '/api/leads/search' }, async response =>
  console.log(response.statusCode, await text(response)),
).end('{"filter":{}}')
