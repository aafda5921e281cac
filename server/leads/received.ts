/** A request as the receiver sees it: where it came from, what it says, and how it is refused. */
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

export type ReceiverEnv = { Bindings: HttpBindings }

export type RefusalStatus = 400 | 403 | 413 | 414 | 415 | 429 | 503

export type Refuse = (status: RefusalStatus, message: string, headers?: Record<string, string>) => Response

export interface Received {
  readonly context: Context<ReceiverEnv>
  readonly header: (name: string) => string | undefined
  readonly query: URLSearchParams
  readonly socketAddress: string | undefined
  /** The answer to a request that is not taken: JSON for the script, a page for the plain form. */
  readonly refuse: Refuse
}

export function received(context: Context<ReceiverEnv>, url: URL, refuse: Refuse): Received {
  return {
    context,
    header: name => context.req.header(name),
    query: url.searchParams,
    // Without a socket, as when the app is called directly, there is no address.
    socketAddress: context.env?.incoming?.socket.remoteAddress,
    refuse,
  }
}

/** Of several parameters with one name the first counts. */
export function firstValues(fields: URLSearchParams): Readonly<Record<string, string>> {
  return Object.fromEntries([...fields].reverse())
}
