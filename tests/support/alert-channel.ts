/** A chat on loopback that takes alerts as Slack and Mattermost do, and records them. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export class AlertChannel {
  readonly messages: string[] = []
  tries = 0
  status = 200
  hangs = false
  #server: Server | null = null

  async open(): Promise<string> {
    this.#server = createServer(async (request, response) => {
      this.tries++
      const body = JSON.parse(await text(request))
      if (this.hangs) return
      if (this.status === 200 && request.method === 'POST' && Object.keys(body).join() === 'text') {
        this.messages.push(body.text)
      }
      response.writeHead(this.status).end('ok')
    })
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks/secret`
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections()
    await new Promise(resolve => this.#server?.close(resolve))
  }
}
