/**
 * Writes one JSON line per event to standard output. Callers pass a code; personal data and query strings never go in. Lines
 * that can't be written are dropped and counted, and the process continues.
 */
import { type LogCode, logEvents } from './log-events.ts'

export type Detail = Readonly<Record<string, string | number | boolean | null>>

export type Log = (code: LogCode, detail?: Detail) => void

/** Written together at the end of the turn: one write per line would cost more than the requests. */
let unwritten: string[] = []

/** Lines that standard output did not accept: its disk is full, or its reader is gone or has stopped reading. */
let lost = 0

/** Bytes that a reader who stopped reading may leave in memory. */
const MOST_UNREAD_BYTES = 16 * 1024 * 1024

export function log(code: LogCode, detail: Detail = {}): void {
  if (unwritten.length === 0) setImmediate(flushLog)
  unwritten.push(lineOf(code, detail))
}

function lineOf(code: LogCode, detail: Detail): string {
  return `${JSON.stringify({ at: new Date().toISOString(), code, event: logEvents[code], ...detail })}\n`
}

/** Call this before ending the process on purpose. */
export function flushLog(): void {
  const lines = unwritten
  unwritten = []
  if (lines.length === 0) return
  const { stdout } = process
  if (stdout.writableLength > MOST_UNREAD_BYTES) {
    lost += lines.length
    return
  }
  // An unhandled stream error would end the process: visitors and leads must not pay for a lost log.
  if (!stdout.listeners('error').includes(ignore)) stdout.on('error', ignore)
  const lostBefore = lost
  lost = 0
  // The line break ends a line that was cut off when the disk got full.
  const notice = lostBefore === 0 ? '' : `\n${lineOf('log_lines_lost', { lines: lostBefore })}`
  stdout.write(notice + lines.join(''), error => {
    if (error) lost += lostBefore + lines.length
  })
}

/** The callback of the write handles it. */
function ignore(): void {}

const MINUTE = 60_000

/**
 * For what a stranger can cause thousands of times a second: the first event is logged immediately, and the rest of that minute
 * in one line with a count.
 */
export function logOnceAMinute(log: Log): Log {
  const unlogged = new Map<LogCode, number>()

  function logRest(code: LogCode, detail: Detail): void {
    const times = unlogged.get(code) ?? 0
    unlogged.delete(code)
    if (times > 0) write(code, detail, times)
  }

  function write(code: LogCode, detail: Detail, times: number): void {
    unlogged.set(code, 0)
    setTimeout(logRest, MINUTE, code, detail).unref()
    log(code, { ...detail, times })
  }

  return (code, detail = {}) => {
    const times = unlogged.get(code)
    if (times === undefined) write(code, detail, 1)
    else unlogged.set(code, times + 1)
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
