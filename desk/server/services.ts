/** The services that the desk's routes use, and the request context. */
import type { Agent } from '../../domain/calling/story-events.ts'
import type { Log } from '../../server/process/log.ts'
import type { Config } from '../../server/settings/config.ts'
import type { DeskPerson } from '../../server/store/facts/desk-people.ts'
import type { DeskSession } from '../../server/store/operations/desk/accounts.ts'
import type { Store } from '../../server/store/store.ts'
import type { DeskSite } from './site.ts'

export interface DeskServices {
  readonly config: Config
  /** For changes and short queries. */
  readonly store: Store
  /** For queries that can be slow. On SQLite, they run on a separate thread, so they never delay a write. */
  readonly reader: Store
  /** What the built site says. */
  readonly site: () => DeskSite
  /** The desk's URL in the browser, such as `http://localhost:3001`. */
  readonly origin: string
  readonly now: () => number
  readonly log: Log
  /** Whether this is the demo, with made-up leads in a temporary store. */
  readonly demo: boolean
  /** The folder with the built pages. Without it, the desk serves only the API. */
  readonly pages?: string
}

/** Variables in Hono's request context. The session guard sets them. */
export interface DeskRequest {
  Variables: {
    readonly person: DeskPerson
    readonly session: DeskSession
    /** The same person, as calls record who made them. */
    readonly agent: Agent
    /** Long responses, such as exports, check this repeatedly and stop when the session ends. */
    readonly isSignedIn: () => Promise<boolean>
  }
}

/** Whether there's a Calls page: while the desk calls leads, or still has calls to finish. */
export const showsCalls = async ({ config, reader }: Pick<DeskServices, 'config' | 'reader'>): Promise<boolean> =>
  config.callList || (config.finishCalls && (await reader.hasOpenCalls()))
