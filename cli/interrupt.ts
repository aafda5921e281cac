/** Ctrl+C, or a polite end by the system, must not leave half a file of personal data behind. */
import { rmSync } from 'node:fs'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Until `work` is over, an interruption removes the file and then ends the process, as it would have. */
export async function removedOnInterrupt<T>(file: string, work: () => Promise<T>): Promise<T> {
  const end = (signal: NodeJS.Signals) => {
    rmSync(file, { force: true })
    stopListening()
    // Sent again, now that nobody listens: the shell is told how the process ended.
    process.kill(process.pid, signal)
  }
  const stopListening = () => {
    for (const signal of signals) process.off(signal, end)
  }
  for (const signal of signals) process.on(signal, end)
  try {
    return await work()
  } finally {
    stopListening()
  }
}
