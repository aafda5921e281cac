/** What a command finds around it: the streams, the settings and the clock. Tests give their own. */
import { styleText } from 'node:util'
import type { Config } from '../../server/config.ts'

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
  /** Who started the program, if it was npm, and how much npm writes of its own. */
  readonly npm?: { readonly script: string | undefined; readonly loudness: string | undefined }
  /** Called only when a command needs settings, so that help works with faulty ones. */
  readonly readConfig: () => Config
  readonly now: () => number
  /** How long to wait for a store that another program has locked. */
  readonly busyTimeoutMs?: number
}

export type Style = 'bold' | 'green' | 'yellow' | 'red' | 'dim'

/** On a terminal only and unless NO_COLOR is set. Never the only sign: the words say the same. */
export function styled(stream: OutputStream, style: Style, text: string): string {
  return styleText(style, text, { stream })
}
