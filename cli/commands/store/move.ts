/** `move`: from the embedded store to PostgreSQL. */
import { isDatabaseUrl } from '../../../server/config.ts'
import { moveStore } from '../../../server/store/open-store.ts'
import type { Command } from '../../command.ts'
import { exitCodes, Misuse } from '../../failure.ts'
import { progressBar } from '../../terminal/progress-bar.ts'
import { counted } from '../../terminal/words.ts'

export const move: Command = {
  summary: 'Move the embedded store to PostgreSQL.',
  usage: ['[--to URL]'],
  about:
    'Copies everything from the embedded store in DATA_DIR to an empty PostgreSQL database and compares every table. Stop\n' +
    'the server and the desk first: it refuses while they run. If it is interrupted, nothing is kept in PostgreSQL and the\n' +
    'store stays as it was: run it again. At the end the old store is renamed to leads.sqlite.moved. Then set DATABASE_URL\n' +
    'and start the server. The renamed file still has everyone in it, also people you erase later: delete it when you are\n' +
    'sure (`doctor --remove-old-stores`).',
  options: {
    to: { value: 'URL', about: 'postgres://user:password@host/database. Default: DATABASE_URL.' },
  },
  examples: ['--to postgres://leads:secret@db.example.org/leads', ''],
  mostWords: 0,
  async run({ typed, notes, stderr, readConfig, busyTimeoutMs }) {
    const config = readConfig()
    const url = typed.text('to') ?? config.databaseUrl
    if (url === null)
      throw new Misuse('Where to? Use --to postgres://user:password@host/database, or set DATABASE_URL.')
    if (!isDatabaseUrl(url))
      throw new Misuse('--to must be an address such as postgres://user:password@host:5432/database.')
    let bar: ReturnType<typeof progressBar> | undefined
    try {
      const { leads, oldStore } = await moveStore(config, url, {
        busyTimeoutMs,
        onProgress: (done, total) => {
          bar ??= progressBar(stderr, total, performance.now.bind(performance))
          bar.show(done)
        },
      })
      bar?.end()
      await notes.write(
        `${counted(leads, 'lead')} moved. Every table has the same rows in PostgreSQL.\n` +
          `The old store is kept as ${oldStore}. Set DATABASE_URL and start the server. When all is well, delete the old store:\n` +
          'npm run leads -- doctor --remove-old-stores\n',
      )
      return exitCodes.done
    } finally {
      bar?.end()
    }
  },
}
