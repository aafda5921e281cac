/** A CRM's webhook, and a chat's for alerts: keeps what it gets. */
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

createServer(async (request, response) => {
  appendFileSync('/root/received', `${request.url} ${await text(request)}\n`)
  response.end('ok')
}).listen(9000, '127.0.0.1')
