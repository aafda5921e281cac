/** `move`: from the embedded store to PostgreSQL. */
import { isDatabaseUrl } from '../../../server/config.ts'
import { moveStore } from '../../../server/store/open-store.ts'
import type { Command } from '../../command.ts'
import { exitCodes, Misuse } from '../../failure.ts'
import { progressBar } from '../../terminal/progress-bar.ts'
import { counted } from '../../terminal/words.ts'

export const move: Command = {
  summary: 'The embedded store moves to PostgreSQL, with history and consents.',
  usage: ['[--to URL]'],
  about:
    'Copies everything from the embedded store in DATA_DIR to a PostgreSQL database, and compares what arrived with what was\n' +
    'sent. Stop the server first: while it copies, no lead is taken. It may be interrupted, and goes on when it is started\n' +
    'again. At the end the old store is put away as leads.sqlite.moved; then set DATABASE_URL and start the server.',
  options: {
    to: { value: 'URL', about: 'postgres://user:password@host/database. If not said, DATABASE_URL of the settings.' },
  },
  examples: ['--to postgres://leads:secret@db.example.org/leads', ''],
  mostWords: 0,
  async run({ typed, notes, stderr, readConfig, busyTimeoutMs }) {
    const config = readConfig()
    const url = typed.text('to') ?? config.databaseUrl
    if (url === null)
      throw new Misuse('Say where to: --to postgres://user:password@host/database, or set DATABASE_URL.')
    if (!isDatabaseUrl(url))
      throw new Misuse('--to must be an address such as postgres://user:password@host:5432/database.')
    let bar: ReturnType<typeof progressBar> | undefined
    try {
      const { leads, thereBefore, checksum, oldStore } = await moveStore(config, url, {
        busyTimeoutMs,
        onProgress: (done, total) => {
          bar ??= progressBar(stderr, total, performance.now.bind(performance))
          bar.show(done)
        },
      })
      bar?.end()
      const before = thereBefore === 0 ? '' : ` ${counted(thereBefore, 'lead')} had arrived before.`
      await notes.write(
        `${counted(leads, 'lead')} moved, counted and compared (checksum ${checksum.slice(0, 16)}).${before}\n` +
          `The old store is kept as ${oldStore}. Set DATABASE_URL and start the server; delete the old store when you are sure.\n`,
      )
      return exitCodes.done
    } finally {
      bar?.end()
    }
  },
}
