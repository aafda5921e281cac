/**
 * ERASURE_LIST: the log of changes that restoring a backup must not undo, kept with the backups. Only this module reads and writes
 * its lines: a time, a kind, and whom it's about. What isn't an ID, or an entry as the do-not-call list has it, is never written and
 * never believed: a line break in it would forge a line.
 */
import { canonicalEmail } from '../../../domain/contact/email.ts'
import { StoreUnusable } from '../store-errors.ts'
import { appendToSharedFile, readSharedFile } from './shared-file.ts'

const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** Looser than the reader of what people type: leads from 0.7.0 may have odd addresses, and must not be called after a restore, either. */
const isEntry = (text: string) =>
  /^\d{10}$/.test(text) || (canonicalEmail(text) === text && /^\S+@\S+$/.test(text) && !/[\p{Cc}\p{Cs}]/u.test(text))

/** What each kind of change can be about. */
const kinds = { erased: isId, 'do-not-call': isEntry, 'may-be-called': isEntry, dismissed: isId } as const

export interface LoggedChange {
  readonly at: number
  readonly kind: keyof typeof kinds
  /** The ID of the lead or desk account, or the email address or phone number. */
  readonly what: string
}

/** Writes to the list. Rejects with StoreUnusable. */
export type Append = (file: string, changes: readonly LoggedChange[]) => Promise<void>

/** The changes are on disk when this resolves. */
export const appendChanges: Append = async (file, changes) => {
  if (changes.length === 0) return
  const loggable = changes.filter(isLoggable)
  if (loggable.length > 0) {
    await appendToSharedFile(file, loggable.map(lineOf)).catch(error => {
      throw unusable(error, `Can’t write ${file}`)
    })
  }
  const refused = changes.length - loggable.length
  if (refused > 0) throw new StoreUnusable(`${refused} of them can’t be logged in ${file}: not a number or an email.`)
}

/** Long enough for every line of ours. */
const MAX_LINE = 1000

/** In file order; nothing if there's no list yet. */
export async function* readChanges(file: string): AsyncGenerator<readonly LoggedChange[]> {
  try {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const part of readSharedFile(file)) {
      const lines = (rest + decoder.decode(part, { stream: true })).split('\n')
      rest = (lines.pop() ?? '').slice(0, MAX_LINE)
      yield lines.flatMap(parseLine)
    }
    yield parseLine(rest)
  } catch (error) {
    throw error instanceof StoreUnusable ? unusable(error, `Can’t read ${file}`) : error
  }
}

/** The do-not-call list has one story for each entry, so the last line about it counts. */
export const subjectOf = ({ kind, what }: LoggedChange): string =>
  kind === 'do-not-call' || kind === 'may-be-called' ? what : `${kind} ${what}`

/** Keeps the newest change of each subject. Of two at the same time, that's the later line. */
export function keepNewest(newest: Map<string, LoggedChange>, change: LoggedChange): void {
  const subject = subjectOf(change)
  if ((newest.get(subject)?.at ?? Number.NEGATIVE_INFINITY) <= change.at) newest.set(subject, change)
}

/** What isn't was made up to do harm, or is from a lead of 0.7.0 that has a space in its address. */
export const isLoggable = ({ at, kind, what }: LoggedChange): boolean => Number.isFinite(at) && kinds[kind](what)

const lineOf = ({ at, kind, what }: LoggedChange) => `${new Date(at).toISOString()} ${kind} ${what}`

const LINE = /^(\S+) (?:(\S+) )?(\S+)$/

/** Until 0.7.0, an erasure was a time and an ID. */
function parseLine(line: string): readonly LoggedChange[] {
  const [, time = '', kind = 'erased', what = ''] = LINE.exec(line.trim()) ?? []
  if (!Object.hasOwn(kinds, kind)) return []
  const change = { at: Date.parse(time), kind: kind as LoggedChange['kind'], what }
  return isLoggable(change) ? [change] : []
}

function unusable(error: StoreUnusable, what: string): StoreUnusable {
  return new StoreUnusable(`${what}: ${error.message} Check ERASURE_LIST.`, { cause: error })
}
