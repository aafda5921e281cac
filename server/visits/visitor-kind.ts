/** Who asks for a page: a person, a browser that fetches ahead, or a program that says what it is. */
import { isbot } from 'isbot'
import type { HttpRequest } from '../http/handler.ts'
import { isPrefetch } from '../intake/own-pages.ts'

export type VisitorKind = 'person' | 'bot' | 'prefetch'

/** What matters stands at the beginning, and to look through a long one takes time. */
const LONGEST_LOOKED_AT = 300

const MOST_REMEMBERED = 2000

export function createVisitorKind(): (visit: Pick<HttpRequest, 'method' | 'header'>) => VisitorKind {
  // To look takes as long as to answer with a page, and visitors use the same few hundred browsers.
  const known = new Map<string, boolean>()

  function isBot(userAgent: string): boolean {
    let verdict = known.get(userAgent)
    if (verdict === undefined) {
      verdict = userAgent === '' || isbot(userAgent)
      // Whoever makes names up would else fill the memory; the common ones are soon back.
      if (known.size === MOST_REMEMBERED) known.clear()
      known.set(userAgent, verdict)
    }
    return verdict
  }

  return ({ method, header }) => {
    if (isPrefetch(header)) return 'prefetch'
    return method === 'HEAD' || isBot((header('user-agent') ?? '').slice(0, LONGEST_LOOKED_AT)) ? 'bot' : 'person'
  }
}
