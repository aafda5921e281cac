/**
 * What unit tests share and only some need. The test runner makes each once, when the first test asks, so tests of pure
 * rules wait for none of it.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

interface Shared {
  site: unknown
  filledInSite: unknown
  desk: unknown
  postgres: {
    /** Connects as a user who can create databases. */
    readonly url: string
    /** A database with a new store, to copy. Creating the tables for each test would take longer. */
    readonly storeTemplate: string
  }
}

export type Makers = { readonly [name in keyof Shared]: () => Promise<Shared[name]> }

/** Set by shared-setup.ts, before the test runner starts its workers. */
export const PORT = 'ON_DEMAND_PORT'

const made = new Map<string, Promise<unknown>>()

/** Waits until it's made. Playwright builds everything before the first journey, so there's no one to ask. */
export function onDemand<Name extends keyof Shared>(name: Name): Promise<Shared[Name]> {
  const asked = made.get(name) ?? ask(name)
  made.set(name, asked)
  return asked as Promise<Shared[Name]>
}

async function ask(name: string): Promise<unknown> {
  const port = process.env[PORT]
  if (port === undefined) return undefined
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(name)
  const { value, error } = JSON.parse(await text(socket))
  if (error) throw new Error(`${name}: ${error}`)
  return value
}
