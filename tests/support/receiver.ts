/** A fake alert receiver, a local server for any handler, and requests that fetch can't send. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer, text } from 'node:stream/consumers'

/** A chat webhook that accepts alerts the way Slack and Mattermost do. */
export class AlertChannel {
  readonly messages: string[] = []
  attempts = 0
  status = 200
  hangs = false
  close: () => Promise<void> = async () => {}

  async open(): Promise<string> {
    const { url, close } = await listen(async (request, response) => {
      this.attempts++
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

interface RawRequest {
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The body. */
  readonly chunks?: readonly string[]
}

/** Sends any header and the path unchanged. Doesn't decompress the response or follow redirects. */
export async function requestRaw(url: string, { path = '/', method, headers = {}, chunks = [] }: RawRequest) {
  const { hostname, port } = new URL(url)
  // The server may respond and close the connection before it has read the whole body.
  const sent = request({ hostname, port, path, method, headers }).on('error', () => {})
  for (const chunk of chunks) sent.write(chunk)
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) }
}
