/** Runs a command the way `npm run leads -- …` does, with streams that a test can read and type into. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { runCli } from '../../cli/run.ts'
import { type Config, loadConfig, readConfig } from '../../server/settings/config.ts'
import { someLead } from './lead-fixtures.ts'
import { ERASURE_KEY } from './lead-store.ts'
import { PROGRAM_ENV } from './processes.ts'

export interface CommandOptions {
  readonly dataDir?: string
  readonly env?: Readonly<Record<string, string>>
  /** Replaces `dataDir` and `env`. */
  readonly settingsFile?: string
  readonly now?: number
  /** How long to wait if another process has the store locked. Short, because in most tests, it stays locked. */
  readonly busyTimeoutMs?: number
  /** What the operator types at a prompt. Without it, standard input isn't a terminal. */
  readonly typed?: string
  /** Called at the prompt, before the operator answers. */
  readonly onPrompt?: () => Promise<unknown>
  /** Piped into standard input. */
  readonly piped?: string
  /** Set if the output goes to a terminal. */
  readonly terminal?: { readonly columns?: number; readonly colors?: boolean }
}

/** One day after the fixture leads were received. */
export const NOW = someLead.receivedAt + 24 * 60 * 60 * 1000

export async function leads(argv: readonly string[], options: CommandOptions = {}) {
  const {
    dataDir = '/nowhere',
    env = {},
    settingsFile,
    now = NOW,
    typed,
    piped,
    terminal,
    onPrompt,
    busyTimeoutMs = 100,
  } = options
  // Nothing listens on this port; a developer's server may use the default one.
  const config = (): Config =>
    settingsFile === undefined
      ? readConfig({ DATA_DIR: dataDir, PORT: '9', ERASURE_KEY, ...env })
      : loadConfig({ SETTINGS_FILE: settingsFile })
  const stdout = outputStream(terminal)
  const stderr = outputStream(terminal)
  const stdin = Object.assign(new PassThrough(), typed === undefined ? {} : { isTTY: true })
  if (onPrompt) stderr.once('data', () => onPrompt().then(() => stdin.end(typed)))
  else if (typed !== undefined || piped !== undefined) stdin.end(typed ?? piped)
  const [out, err] = [textOf(stdout), textOf(stderr)]
  const code = await runCli(argv, {
    stdin,
    stdout,
    stderr,
    readConfig: config,
    now: () => now,
    busyTimeoutMs,
  })
  stdout.end()
  stderr.end()
  return { code, out: await out, err: await err }
}

function outputStream(terminal: CommandOptions['terminal']): PassThrough {
  const stream = new PassThrough()
  if (!terminal) return stream
  return Object.assign(stream, {
    isTTY: true,
    columns: terminal.columns ?? 80,
    getColorDepth: () => (terminal.colors ? 4 : 1),
  })
}

async function textOf(stream: PassThrough): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}

/** Runs the real `npm run` in this project. */
export function npmRun(argv: readonly string[], env: Readonly<Record<string, string>>) {
  return spawnSync('npm', ['run', ...argv], {
    encoding: 'utf8',
    cwd: join(import.meta.dirname, '../..'),
    env: { PATH: process.env['PATH'], NO_UPDATE_NOTIFIER: '1', ...PROGRAM_ENV, ...env },
  })
}
