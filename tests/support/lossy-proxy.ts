/** A TCP proxy in front of a database that can lose an answer: the request arrives, the reply doesn't. */
import { createServer, type Socket, connect as tcpConnect } from 'node:net'

export interface LossyProxy {
  readonly port: number
  /** Passes the next request with this text on, and cuts the connection when it is answered. Returns whether it has. */
  loseAnswerTo(text: string): () => boolean
  close(): Promise<void>
}

export function startLossyProxy(serverPort: number): Promise<LossyProxy> {
  const sockets = new Set<Socket>()
  let lose: string | null = null
  let lost = false
  const proxy = createServer(client => {
    const server = tcpConnect(serverPort, '127.0.0.1')
    let losing = false
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket)
          client.destroy()
          server.destroy()
        })
    }
    client.on('data', data => {
      if (lose !== null && data.includes(lose)) {
        lose = null
        losing = true
      }
      server.write(data)
    })
    server.on('data', data => {
      if (!losing) return void client.write(data)
      lost = true
      client.destroy()
    })
  })
  return new Promise(resolve =>
    proxy.listen(0, '127.0.0.1', () => {
      const address = proxy.address()
      resolve({
        port: typeof address === 'object' && address ? address.port : 0,
        loseAnswerTo(text) {
          lose = text
          lost = false
          return () => lost
        },
        close: () =>
          new Promise(done => {
            proxy.close(() => done())
            for (const socket of sockets) socket.destroy()
          }),
      })
    }),
  )
}
