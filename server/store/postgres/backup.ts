/** Copies a PostgreSQL store with pg_dump, as a consistent snapshot. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeCopy } from '../files.ts'
import { explainFileError, StoreUnusable } from '../store-errors.ts'
import { connectTo } from './connections.ts'
import { asStoreError } from './errors.ts'
import { verifyVersion } from './migrate.ts'

const run = promisify(execFile)

export async function backUpPostgres(url: string, copy: string) {
  try {
    return await writeCopy(copy, part =>
      connectTo(url).single(async client => {
        await verifyVersion(client)
        // The dump uses this transaction's snapshot, so the count matches the copy.
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
        const { rows } = await client.query<{ snapshot: string; leads: number }>(
          'SELECT pg_export_snapshot() AS snapshot, (SELECT COUNT(*) FROM leads) AS leads',
        )
        await dump(url, part, rows[0]?.snapshot ?? '')
        return { leads: rows[0]?.leads ?? 0 }
      }),
    )
  } catch (error) {
    const why = explainFileError(error)
    throw why === null ? asStoreError(error) : new StoreUnusable(`Can’t write ${copy}: ${why}`, { cause: error })
  }
}

/** Passes the password in a file, because command lines are visible to every user on the machine. */
async function dump(url: string, file: string, snapshot: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'backup-'))
  try {
    const { database, password } = withoutPassword(url)
    // After a failover, a standby may come first in the URL, but the snapshot is on the primary.
    const options = ['target_session_attrs=read-write']
    // Without a password in the URL, pg_dump looks for one where the server does, such as ~/.pgpass.
    if (password !== null) {
      const passfile = join(folder, 'password')
      writeFileSync(passfile, `*:*:*:*:${password.replaceAll(/[\\:]/g, '\\$&')}\n`, { mode: 0o600 })
      options.push(`passfile=${encodeURIComponent(passfile)}`)
    }
    const target = `${database}${database.includes('?') ? '&' : '?'}${options.join('&')}`
    await run('pg_dump', ['--format=custom', '--no-password', `--snapshot=${snapshot}`, `--file=${file}`, target])
    // Read the copy's table of contents, which fails if the copy is truncated.
    await run('pg_restore', ['--list', file], { maxBuffer: 16 * 1024 * 1024 })
  } catch (error) {
    throw new StoreUnusable(explain(error), { cause: error })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** `user:password@` or `?password=`, which takes precedence. The user ends at the last @ before the path. */
export function withoutPassword(url: string): { readonly database: string; readonly password: string | null } {
  const [, scheme = '', user = '', password, rest = '', query = ''] =
    /^(\w+:\/\/)(?:([^:@/?]*)(?::([^/?]*))?@)?([^?]*)(?:\?(.*))?$/s.exec(url) ?? []
  const parameters = query.split('&').filter(parameter => parameter !== '')
  const nameOf = (parameter: string) => [...new URLSearchParams(parameter).keys()][0] ?? ''
  const isPassword = (parameter: string) => nameOf(parameter) === 'password'
  const inQuery = new URLSearchParams(parameters.findLast(isPassword)).get('password')
  // `sslpassword` would be visible, too. Without it, pg_dump can't use an encrypted client key, but neither can the server.
  const others = parameters.filter(parameter => !['password', 'sslpassword'].includes(nameOf(parameter)))
  return {
    database: `${scheme}${user && `${user}@`}${rest}${others.length > 0 ? `?${others.join('&')}` : ''}`,
    password: inQuery || decodeURIComponent(password ?? '') || null,
  }
}

function explain(error: unknown): string {
  const { code, stderr = '' } = error as NodeJS.ErrnoException & { readonly stderr?: string }
  if (code === 'ENOENT')
    return 'pg_dump is not installed. Install the PostgreSQL client programs that match the server’s version.'
  if (stderr.includes('version mismatch')) {
    return 'pg_dump is older than the server. Install the PostgreSQL client programs that match the server’s version.'
  }
  return 'pg_dump failed. Run it by hand to see why.'
}
