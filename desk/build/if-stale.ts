/** Builds the desk's pages if their sources have changed: before `npm run desk`, and before its tests. */
import { globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { fingerprintOf } from '../../build/fingerprint.ts'
import { BUILT_DESK } from '../server/pages.ts'

const root = join(import.meta.dirname, '../..')
const FINGERPRINT = 'fingerprint'

const SOURCES = ['desk/browser/**', 'desk/vite.config.ts', 'domain/**', 'build/assets/**', 'content/pictures/icon.svg']

function builtFrom(): string | null {
  try {
    return readFileSync(join(BUILT_DESK, FINGERPRINT), 'utf8')
  } catch {
    return null
  }
}

/** The old pages stay in place until the new ones are complete. */
async function buildDesk(sources: string): Promise<void> {
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache/desk-'))
  const outDir = join(folder, 'built')
  // A test runner may have set another mode: React's development build has no place here.
  const define = { 'process.env.NODE_ENV': '"production"' }
  await build({
    configFile: join(root, 'desk/vite.config.ts'),
    logLevel: 'error',
    mode: 'production',
    define,
    build: { outDir },
  })
  for (const name of globSync('assets/*.{js,css,svg}', { cwd: outDir })) {
    const bytes = readFileSync(join(outDir, name))
    writeFileSync(join(outDir, `${name}.br`), brotliCompressSync(bytes))
    writeFileSync(join(outDir, `${name}.gz`), gzipSync(bytes, { level: 9 }))
  }
  writeFileSync(join(outDir, FINGERPRINT), sources)
  rmSync(BUILT_DESK, { recursive: true, force: true })
  renameSync(outDir, BUILT_DESK)
  rmSync(folder, { recursive: true })
}

const sources = fingerprintOf(root, SOURCES, {})
if (builtFrom() !== sources) {
  console.log('Building the desk …')
  await buildDesk(sources)
}
