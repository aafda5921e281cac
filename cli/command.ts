/** Types for commands: their options, their context, and their errors. */
import type { Calendar } from '../server/settings/calendar.ts'
import type { Config } from '../server/settings/config.ts'
import type { Store } from '../server/store/store.ts'

export interface Option {
  /** Placeholder for the value in the help. Without it, the option is a flag. */
  readonly value?: string
  readonly about: string
  readonly repeatable?: true
}

export type Options = Readonly<Record<string, Option>>

export interface Command {
  readonly summary: string
  /** `FILE`, `[FILE]` if optional, or `ID …` for any number. Default: no argument. */
  readonly argument?: string
  /** Paragraphs, one per line; the help wraps them. */
  readonly about: string
  readonly options?: Options
  readonly examples?: readonly string[]
  readonly run: (run: Run) => Promise<void>
}

export interface FoundCommand {
  readonly group: string
  readonly name: string
  readonly command: Command
  /** Arguments after the command's name. */
  readonly rest: readonly string[]
}

export interface Run extends CliContext {
  readonly args: ParsedArgs
  /** The command's result. */
  readonly out: Output
  /** Prompts and status messages, on stderr. */
  readonly notes: Output
  /** Prints the result with --json. */
  json(value: unknown): Promise<void>
  /** Opens the store. It's closed when the command ends. */
  openStore(access: 'read' | 'write'): Promise<Store>
  /** Who ran the command, for the history: --by, or the system user. */
  by(): string
  /** Days in TIME_ZONE. */
  calendar(): Calendar
}

export interface ParsedArgs {
  /** The value of an option, or undefined. */
  text(name: string): string | undefined
  texts(name: string): readonly string[]
  isSet(name: string): boolean
  readonly positionals: readonly string[]
}

/** A command's environment. Tests pass their own. */
export interface CliContext {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  /** Called only when a command needs settings, so help works even if they're invalid. */
  readonly readConfig: () => Config
  readonly now: () => number
  /** How long to wait for a store that another program has locked. */
  readonly busyTimeoutMs?: number
}

export interface OutputStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean
  readonly columns?: number
}

export interface Output {
  /** Resolves once the text is written. */
  write(text: string): Promise<void>
}

/** The command failed. Exit code 1. */
export class CommandError extends Error {}

/** Invalid usage. Exit code 2. */
export class UsageError extends Error {}

/** The reader closed the pipe, as `head` does. Not an error. */
export class OutputClosed extends Error {}
