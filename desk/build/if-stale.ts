/** Builds the browser's part of the desk if what it is made from has changed: before `npm run desk`, and before its tests. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MANIFEST_FILE } from '../../server/http/site-manifest.ts'
import { BUILT_DESK, buildDesk, fingerprint } from './desk-build.ts'

function builtFrom(): string | null {
  try {
    return JSON.parse(readFileSync(join(BUILT_DESK, MANIFEST_FILE), 'utf8')).fingerprint
  } catch {
    return null
  }
}

if (builtFrom() !== fingerprint()) {
  console.log('Building the desk …')
  await buildDesk()
}
