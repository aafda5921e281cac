/** One hash over everything that the built site depends on, so that `npm start` builds only when something changed. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import type { Config } from '../server/config.ts'

const SOURCES = ['content/**', 'domain/**', 'site/**', 'build/**', 'launch/**', 'package-lock.json']

export function fingerprintOf(root: string, { siteUrl, leadEndpoint, trustedForm }: Config): string {
  const hash = createHash('sha256').update(JSON.stringify({ siteUrl, leadEndpoint, trustedForm }))
  const files = globSync(SOURCES, { cwd: root, withFileTypes: true })
    .filter(entry => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map(entry => `${entry.parentPath}/${entry.name}`)
    .sort()
  for (const file of files) hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}
