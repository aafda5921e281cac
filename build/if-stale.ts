/** Builds the site if what it is made from has changed since the last build: `node build/if-stale.ts [folder]`. */
import { resolve } from 'node:path'
import { buildIfStale, DIST, loadConfigOrExit } from './site-build.ts'

const [folder = DIST] = process.argv.slice(2)
await buildIfStale(loadConfigOrExit(), resolve(folder))
