/** What the desk's routes are made of, and what each of them knows of a request. */
import type { Config } from '../../server/config.ts'
import type { Log } from '../../server/log.ts'
import type { DeskPerson, DeskSession } from '../../server/store/accounts.ts'
import type { Store } from '../../server/store/store.ts'
import type { BrowserFiles } from './browser-files.ts'

export interface DeskServices {
  readonly config: Config
  /** For changes and for short questions. */
  readonly store: Store
  /** For questions that may take long: on the embedded engine a thread of its own, so that they delay no change. */
  readonly reader: Store
  /** The desk's own address, as browsers name it: `http://localhost:3001`. */
  readonly origin: string
  readonly now: () => number
  readonly log: Log
  /** Made-up leads in a scratch store. */
  readonly demo: boolean
  /** The browser's part; without it there is the API alone. */
  readonly browser?: BrowserFiles
}

/** Hono's type of a request to the desk. Behind the guards all of it is there. */
export interface DeskRequest {
  Variables: {
    readonly person: DeskPerson
    readonly session: DeskSession
    /** Asked again by long answers, such as an export, which end with the session. */
    readonly sessionStands: () => Promise<boolean>
  }
}
