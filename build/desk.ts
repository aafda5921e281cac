/** The desk's build. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build as viteBuild } from 'vite'
import { compressors } from '../publish/output.ts'
import { type Build, root } from './build.ts'

/** Must match desk/server/pages.ts. */
const BUILT_DESK = join(root, 'built-desk')

export const deskBuild = (): Build => ({
  sources: [
    'desk/browser/**',
    'desk/vite.config.ts',
    'build/desk.ts',
    'content/pictures/icon.svg',
    'docs/first-day.md',
    'docs/managers.md',
  ],
  settings: {},
  folders: [BUILT_DESK],
  async make([outDir = ''], rejectUnlistedSources) {
    // biome-ignore lint/style/noProcessEnv: a test runner's value would bundle React's development build.
    process.env['NODE_ENV'] = 'production'
    await viteBuild({
      configFile: join(root, 'desk/vite.config.ts'),
      logLevel: 'error',
      mode: 'production',
      plugins: [rejectUnlistedSources],
      build: { outDir },
    })
    for (const name of globSync('assets/*.{js,css,svg}', { cwd: outDir })) {
      const bytes = readFileSync(join(outDir, name))
      writeFileSync(join(outDir, `${name}.br`), compressors.br(bytes))
      writeFileSync(join(outDir, `${name}.gz`), compressors.gzip(bytes))
    }
  },
})
