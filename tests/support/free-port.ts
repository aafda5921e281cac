/** For programs that can't pick a free port themselves. */
import { createServer, type Server } from 'node:net'

const reservations = new Set<Server>()

/**
 * A port that stays free across restarts: it's below the system's ephemeral range, and a socket on 127.0.0.2 reserves it
 * across all tests while this process runs.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    // Systems other than Linux have only one loopback address.
    const reservation = process.platform === 'linux' ? await listenAt(port, '127.0.0.2') : createServer()
    const probe = reservation && (await listenAt(port, '127.0.0.1'))
    if (reservation && probe) {
      reservations.add(reservation.unref())
      await new Promise(resolve => probe.close(resolve))
      return port
    }
    reservation?.close()
  }
}

function listenAt(port: number, address: string): Promise<Server | null> {
  const server = createServer()
  return new Promise(resolve => {
    server.once('error', () => resolve(null)).listen(port, address, () => resolve(server))
  })
}
