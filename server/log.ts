/** Writes one JSON line an event to standard output. Callers name what happened; personal data and query strings never go in. */
type Detail = Readonly<Record<string, string | number | boolean | null>>

export type Log = (event: string, detail?: Detail) => void

/** Lines of one turn are written together: in a busy moment, a write for each would cost more than the requests. */
let unwritten = ''

export function log(event: string, detail: Detail = {}): void {
  if (unwritten === '') setImmediate(flushLog)
  unwritten += `${JSON.stringify({ at: new Date().toISOString(), event, ...detail })}\n`
}

/** To be called before the process is ended on purpose. */
export function flushLog(): void {
  if (unwritten !== '') process.stdout.write(unwritten)
  unwritten = ''
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
