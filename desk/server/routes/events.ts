/** Says that something has changed, for as long as the session lasts. What has changed the page asks for itself. */
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { ChangedEvent } from '../../api/today.ts'
import type { ChangesFeed } from '../changes-feed.ts'
import type { DeskRequest, DeskServices } from '../services.ts'

/** A session ends by a change in the store, or by its time. */
const CHECK_EVERY_MS = 5000
/** Proxies close a connection on which nothing is said. */
const COMMENT_EVERY_MS = 15_000

export function createEventRoutes({ now }: Pick<DeskServices, 'now'>, feed: ChangesFeed): Hono<DeskRequest> {
  return new Hono<DeskRequest>().get('/', context => {
    // Nobody would read the stream, and it would never end.
    if (context.req.method === 'HEAD') return context.body(null)
    return streamSSE(context, async stream => {
      const stands = context.get('sessionStands')
      const ended = Promise.withResolvers<void>()
      let changed = false
      let paused = false
      let turn = Promise.withResolvers<void>()
      const stopListening = feed.listen(change => {
        changed = true
        paused = change.paused
        turn.resolve()
      })
      const timer = setInterval(() => turn.resolve(), CHECK_EVERY_MS)
      stream.onAbort(() => ended.resolve())
      let saidAt = now()
      try {
        await stream.write(': hello\n\n')
        while (!stream.aborted && !stream.closed) {
          await Promise.race([turn.promise, ended.promise])
          turn = Promise.withResolvers()
          if (stream.aborted || !(await stands().catch(() => true))) return
          if (changed) {
            changed = false
            saidAt = now()
            const event: ChangedEvent = { at: saidAt, paused }
            await stream.writeSSE({ event: 'changed', data: JSON.stringify(event) })
          } else if (now() - saidAt >= COMMENT_EVERY_MS) {
            saidAt = now()
            await stream.write(': still here\n\n')
          }
        }
      } finally {
        clearInterval(timer)
        stopListening()
      }
    })
  })
}
