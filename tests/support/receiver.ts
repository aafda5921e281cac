/** Fake receivers of leads and alerts. They record what arrives, and respond as a test tells them to. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ReceivedLead {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingMessage['headers']
}

type FakeResponse = number | 'hang up' | 'wait'

export class Receiver {
  readonly leads: ReceivedLead[] = []
  /** For the next requests: a status, a cut connection, or nothing until `release`. */
  response: FakeResponse = 202
  #waiting: ServerResponse[] = []

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    this.leads.push({
      method: request.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
    })
    if (this.response === 'hang up') request.socket.destroy()
    else if (this.response === 'wait') this.#waiting.push(response)
    else respond(response, this.response)
  }

  /** Responds to all waiting requests and to later ones, in case another is in flight. */
  release(status = 202): void {
    this.response = status
    for (const response of this.#waiting.splice(0)) respond(response, status)
  }

  reset(): void {
    this.release()
    this.leads.length = 0
  }
}

function respond(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify({ status: status < 300 ? 'accepted' : 'failed' }))
}

/** A chat webhook that accepts alerts like Slack and Mattermost. */
export class AlertChannel {
  readonly messages: string[] = []
  tries = 0
  status = 200
  hangs = false
  close: () => Promise<void> = async () => {}

  async open(): Promise<string> {
    const { url, close } = await listen(async (request, response) => {
      this.tries++
      const body = JSON.parse(await text(request))
      if (this.hangs) return
      if (this.status === 200 && request.method === 'POST' && Object.keys(body).join() === 'text') {
        this.messages.push(body.text)
      }
      response.writeHead(this.status).end('ok')
    })
    this.close = close
    return `${url}/hooks/secret`
  }
}

/** Listens on a free port by default. */
export async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  port = 0,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(handle)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
