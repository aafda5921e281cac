/** The services that the desk's routes use, and the context of a request. */
import type { Config } from '../../server/config.ts'
import type { Log } from '../../server/log.ts'
import type { DeskPerson, DeskSession } from '../../server/store/accounts.ts'
import type { Store } from '../../server/store/store.ts'

export interface DeskServices {
  readonly config: Config
  /** For changes and short queries. */
  readonly store: Store
  /** For queries that can be slow: on SQLite a separate thread, so that they never delay a write. */
  readonly reader: Store
  /** The desk's own address, as browsers see it: `http://localhost:3001`. */
  readonly origin: string
  readonly now: () => number
  readonly log: Log
  /** Made-up leads in a temporary store. */
  readonly demo: boolean
  /** The folder of the built pages; without it there is only the API. */
  readonly pages?: string
}

/** Hono's request context. Everything is set behind the guards. */
export interface DeskRequest {
  Variables: {
    readonly person: DeskPerson
    readonly session: DeskSession
    /** Rechecked by long responses such as exports, which end with the session. */
    readonly isSignedIn: () => Promise<boolean>
  }
}
