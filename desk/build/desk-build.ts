/**
 * Builds the part of the desk that runs in the browser into built-desk/: one document, fingerprinted scripts, styles and
 * typefaces, each with its compressed copies, and a manifest that the desk's server reads. Nothing of it is part of the
 * public site or of `npm start`.
 */
import { mkdirSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { makeFonts } from '../../build/assets/fonts.ts'
import { hashed } from '../../build/assets/hashed-asset.ts'
import { fingerprintOf } from '../../build/fingerprint.ts'
import { type SourceFile, writeFileAndCopies } from '../../build/output/write-site.ts'
import { MANIFEST_FILE } from '../../server/http/site-manifest.ts'
import type { BrowserManifest } from '../server/browser-files.ts'

const root = join(import.meta.dirname, '../..')
export const BUILT_DESK = join(root, 'built-desk')

/** Passkeys, `light-dark()` and popovers are in all of them; the desk's people use a browser of today. */
const BROWSERS = ['safari17.5', 'ios17.5', 'chrome123', 'edge123', 'firefox128']

const SOURCES = [
  'desk/{api,browser,build}/**',
  'domain/**',
  'build/assets/**',
  'build/output/**',
  'content/pictures/icon.svg',
]

export const fingerprint = () => fingerprintOf(root, SOURCES, {})

/** What is in place stays there until the new one is whole. */
export async function buildDesk(place = BUILT_DESK): Promise<void> {
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = await mkdtemp(join(root, '.cache/desk-'))
  const made = join(folder, 'built-desk')
  const madeFrom = fingerprint()
  try {
    const bundle = join(folder, 'bundle')
    await bundleBrowser(bundle)
    const sources = [...(await readBundle(bundle)), ...(await typefaces()), await mark()]
    const files = await Promise.all(withDocument(sources).map(source => writeFileAndCopies(made, source)))
    const manifest: BrowserManifest = { fingerprint: madeFrom, files }
    await writeFile(join(made, MANIFEST_FILE), JSON.stringify(manifest, null, 2))
    await rename(place, join(folder, 'before')).catch(unlessMissing)
    await rename(made, place)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function bundleBrowser(outDir: string): Promise<void> {
  const bundle = (name: string, input: string, asScript: boolean) =>
    build({
      root,
      configFile: false,
      envDir: false,
      publicDir: false,
      cacheDir: join(root, '.cache/vite-desk'),
      logLevel: 'silent',
      mode: 'production',
      // Whoever builds, a test runner too: React's development build has no place here.
      define: { 'process.env.NODE_ENV': '"production"' },
      plugins: [react(), tailwindcss()],
      build: {
        outDir,
        emptyOutDir: false,
        target: BROWSERS,
        modulePreload: false,
        // The policy allows no styles, scripts or pictures inside of others.
        assetsInlineLimit: 0,
        cssCodeSplit: false,
        rolldownOptions: { input: { [name]: input }, ...(asScript && { output: { format: 'iife' } }) },
      },
    })
  await bundle('desk', 'desk/browser/main.tsx', false)
  // A script of its own that imports nothing: a module would run only after the first paint.
  await bundle('theme', 'desk/browser/theme/before-first-paint.ts', true)
}

async function readBundle(folder: string): Promise<SourceFile[]> {
  const names = await readdir(join(folder, 'assets'))
  return Promise.all(
    names.map(async name => ({
      path: `/assets/${name}`,
      file: `assets/${name}`,
      bytes: await readFile(join(folder, 'assets', name)),
    })),
  )
}

/** The public site's two typefaces, as a style of their own. */
async function typefaces(): Promise<SourceFile[]> {
  const fonts = await makeFonts()
  const style = hashed('typefaces', 'css', Buffer.from(fonts.standIns + fonts.typefaces))
  return [style, ...fonts.files].map(({ path, bytes }) => ({ path, file: path.slice(1), bytes }))
}

/** The public site's mark, beside the name of the tab. */
async function mark(): Promise<SourceFile> {
  const { path, bytes } = hashed('mark', 'svg', await readFile(join(root, 'content/pictures/icon.svg')))
  return { path, file: path.slice(1), bytes }
}

function withDocument(sources: readonly SourceFile[]): SourceFile[] {
  const named = (name: RegExp) => {
    const found = sources.find(({ path }) => name.test(path ?? ''))
    if (!found?.path) throw new Error(`The desk's build has no file like ${name}.`)
    return found.path
  }
  const styles = sources.flatMap(({ path }) => (path?.endsWith('.css') ? [path] : []))
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Desk</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<script src="${named(/\/theme-[^/]*\.js$/)}"></script>
${styles.map(path => `<link rel="stylesheet" href="${path}">`).join('\n')}
<link rel="icon" href="${named(/\/mark-[^/]*\.svg$/)}" type="image/svg+xml">
<script type="module" src="${named(/\/desk-[^/]*\.js$/)}"></script>
</head>
<body>
<div id="desk"></div>
<noscript>The desk needs JavaScript: please turn it on for this address.</noscript>
</body>
</html>
`
  return [...sources, { path: null, file: 'index.html', bytes: Buffer.from(html) }]
}

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
