/** One message to the alert address, as Slack, Mattermost and the like take it. Never throws. */

const TIMEOUT_MS = 10_000

/** Null when it was taken, else why not: in plain words, without the address, whose path is often its only secret. */
export async function postAlert(url: string, text: string, timeoutMs = TIMEOUT_MS): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
      // A redirect would turn the POST into a GET, and the message would be lost with a 200.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    return response.ok ? null : `it answered ${response.status}`
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
    return `it cannot be reached (${code ?? 'no connection'})`
  }
}
