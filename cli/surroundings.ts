/** What a command finds around it: the streams, the settings and the clock. Tests give their own. */
import type { Config } from '../server/config.ts'

export interface InputStream extends NodeJS.ReadableStream {
  readonly isTTY?: boolean
}

export interface OutputStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean
  readonly columns?: number
}

export interface Surroundings {
  readonly stdin: InputStream
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  /** Called only when a command needs settings, so that help works with faulty ones. */
  readonly readConfig: () => Config
  readonly now: () => number
  /** How long to wait for a store that another program has locked. */
  readonly busyTimeoutMs?: number
}
