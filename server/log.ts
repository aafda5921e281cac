/** Writes one JSON line an event to standard output. Callers name what happened; personal data and query strings never go in. */
type Detail = Readonly<Record<string, string | number | boolean | null>>

export function log(event: string, detail: Detail = {}): void {
  console.log(JSON.stringify({ at: new Date().toISOString(), event, ...detail }))
}

/** An unexpected error by its kind and place in the code. Its message is left out: it may quote what a visitor typed. */
export function logError(event: string, error: unknown): void {
  const { name, stack } = error instanceof Error ? error : new Error(typeof error)
  const place =
    stack
      ?.split('\n')
      .find(line => line.trimStart().startsWith('at '))
      ?.trim() ?? null
  log(event, { error: name, place })
}
