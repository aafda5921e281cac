/**
 * Writes one JSON line an event to standard output. Callers name what happened by its code; personal data and query strings
 * never go in. Lines that cannot be written are dropped and counted, and the process goes on.
 */
import { type LogCode, logEvents } from './log-events.ts'

export type Detail = Readonly<Record<string, string | number | boolean | null>>

export type Log = (code: LogCode, detail?: Detail) => void

/** Lines of one turn are written together: in a busy moment, a write for each would cost more than the requests. */
let unwritten: string[] = []

/** Lines that standard output did not take: its disk is full, or whoever read it has gone or has stopped reading. */
let lost = 0

/** What a reader who has stopped reading may leave lying in memory. */
const MOST_UNREAD_BYTES = 16 * 1024 * 1024

export function log(code: LogCode, detail: Detail = {}): void {
  if (unwritten.length === 0) setImmediate(flushLog)
  unwritten.push(lineOf(code, detail))
}

function lineOf(code: LogCode, detail: Detail): string {
  return `${JSON.stringify({ at: timestamp(), code, event: logEvents[code], ...detail })}\n`
}

let latest = { time: 0, text: '' }

/** Many lines of a busy moment fall into one millisecond. */
function timestamp(): string {
  const time = Date.now()
  if (time !== latest.time) latest = { time, text: new Date(time).toISOString() }
  return latest.text
}

/** To be called before the process is ended on purpose. */
export function flushLog(): void {
  const lines = unwritten
  unwritten = []
  if (lines.length === 0) return
  const { stdout } = process
  if (stdout.writableLength > MOST_UNREAD_BYTES) {
    lost += lines.length
    return
  }
  // A stream whose error nobody listens for ends the process: visitors and leads must not pay for a lost log.
  if (!stdout.listeners('error').includes(ignore)) stdout.on('error', ignore)
  const lostBefore = lost
  lost = 0
  // The line break ends what was cut off in the middle of a line when the disk got full.
  const notice = lostBefore === 0 ? '' : `\n${lineOf('log_lines_lost', { lines: lostBefore })}`
  stdout.write(notice + lines.join(''), error => {
    if (error) lost += lostBefore + lines.length
  })
}

/** The callback of the write knows already. */
function ignore(): void {}

const MINUTE = 60_000

/**
 * For what a stranger can make happen thousands of times a second: each event is told at once, and what follows within a
 * minute in one line at its end, with how often it happened.
 */
export function logOnceAMinute(log: Log): Log {
  const untold = new Map<LogCode, number>()

  function tellRest(code: LogCode, detail: Detail): void {
    const times = untold.get(code) ?? 0
    untold.delete(code)
    if (times > 0) tell(code, detail, times)
  }

  function tell(code: LogCode, detail: Detail, times: number): void {
    untold.set(code, 0)
    setTimeout(tellRest, MINUTE, code, detail).unref()
    log(code, { ...detail, times })
  }

  return (code, detail = {}) => {
    const times = untold.get(code)
    if (times === undefined) tell(code, detail, 1)
    else untold.set(code, times + 1)
  }
}

/** An unexpected error by its kind and place in the code. Its message is left out: it may quote what a visitor typed. */
export function describeError(error: unknown): Detail {
  const { name, stack } = error instanceof Error ? error : new Error(typeof error)
  const place =
    stack
      ?.split('\n')
      .find(line => line.trimStart().startsWith('at '))
      ?.trim() ?? null
  return { error: name, place }
}
