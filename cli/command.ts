/** What a command is: its words for the help, its options, and what it does. */
import type { Output } from './terminal/output.ts'
import type { Surroundings } from './terminal/surroundings.ts'

export interface Option {
  /** What stands for the value in the help; without it the option is a switch. */
  readonly value?: string
  readonly about: string
  readonly repeatable?: true
  /** May stand without its value, which the command then asks for. */
  readonly valueAsked?: true
}

export type Options = Readonly<Record<string, Option>>

export interface Typed {
  /** The value of an option, or undefined. */
  text(name: string): string | undefined
  texts(name: string): readonly string[]
  isSet(name: string): boolean
  readonly words: readonly string[]
}

export interface Run extends Surroundings {
  readonly typed: Typed
  readonly out: Output
  /** For the operator alone: questions, progress and what was done. */
  readonly notes: Output
}

export interface Command {
  readonly summary: string
  /** What follows the command's name, one line a way to use it. */
  readonly usage: readonly string[]
  readonly about: string
  readonly options: Options
  readonly examples: readonly string[]
  /** How many words may stand beside the options. */
  readonly mostWords: number
  /** The exit code. */
  readonly run: (run: Run) => Promise<number>
}
