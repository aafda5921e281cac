/** Asks other sites whether what we link to is still there. */

export interface LinkVerdict {
  readonly url: string
  readonly standing: 'alive' | 'dead' | 'unchecked'
  readonly reason: string
}

const TIMEOUT_MS = 10_000
/** Sites that let people in, but not programs. */
const KEEPS_PROGRAMS_OUT = new Set([401, 403, 405, 406, 429, 501])

type Answer = { readonly status: number } | { readonly failure: string }

export async function checkExternalLinks(urls: readonly string[]): Promise<readonly LinkVerdict[]> {
  const answers = await Promise.all(urls.map(ask))
  const isOnline = answers.some(answer => 'status' in answer)
  return urls.map((url, index) => ({ url, ...verdict(answers[index] ?? { failure: 'it was not asked' }, isOnline) }))
}

function verdict(answer: Answer, isOnline: boolean): Omit<LinkVerdict, 'url'> {
  if ('failure' in answer) {
    // With no connection at all, nothing is known of the others.
    return isOnline
      ? { standing: 'dead', reason: `it cannot be reached (${answer.failure})` }
      : { standing: 'unchecked', reason: `no other site can be reached from here (${answer.failure})` }
  }
  const { status } = answer
  if (status < 400) return { standing: 'alive', reason: '' }
  if (KEEPS_PROGRAMS_OUT.has(status))
    return { standing: 'unchecked', reason: `the site answers a program with ${status}` }
  return { standing: 'dead', reason: `the site answers with ${status}` }
}

async function ask(url: string): Promise<Answer> {
  const head = await request(url, 'HEAD')
  // Some answer only to what a browser sends.
  return 'status' in head && head.status >= 400 ? request(url, 'GET') : head
}

async function request(url: string, method: string): Promise<Answer> {
  try {
    const response = await fetch(url, { method, redirect: 'follow', signal: AbortSignal.timeout(TIMEOUT_MS) })
    await response.body?.cancel()
    return { status: response.status }
  } catch (error) {
    const { name, cause } = error as Error & { readonly cause?: { readonly code?: string } }
    return { failure: cause?.code ?? name }
  }
}
