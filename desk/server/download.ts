/** Files that are sent piece by piece while they're made. An incomplete one must not look complete. */
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { describeError } from '../../server/process/log.ts'
import { ApiError } from './api-error.ts'
import type { DeskRequest, DeskServices } from './services.ts'

interface Download {
  readonly name: string
  readonly pieces: AsyncIterable<string>
}

/** A spreadsheet. Ends early if the session does. */
export function sendCsv({ log }: Pick<DeskServices, 'log'>, context: Context<DeskRequest>, { name, pieces }: Download) {
  const { outgoing } = (context.env ?? {}) as Partial<HttpBindings>
  async function* bytes() {
    const encoder = new TextEncoder()
    try {
      for await (const piece of pieces) {
        if (!(await context.get('isSignedIn')())) throw new ApiError('not signed in', 'The session has ended.')
        yield encoder.encode(piece)
      }
    } catch (error) {
      if (!(error instanceof ApiError)) log('request_failed', describeError(error))
      // Without a connection of our own, as in tests, the body fails. The HTTP library would log the error with all it contains.
      if (!outgoing) throw error
      outgoing.destroy()
    }
  }
  const made = bytes()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await made.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => void made.return(undefined),
  })
  return context.body(body, 200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
  })
}
