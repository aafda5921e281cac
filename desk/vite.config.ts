/** Builds the desk's pages. `npm run desk -- --dev` serves them with hot reload. */
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { marked } from 'marked'
import { defineConfig, type Plugin } from 'vite'
import { makeFonts } from '../build/fonts.ts'
import { hashed } from '../publish/output.ts'

const project = join(import.meta.dirname, '..')

export default defineConfig({
  root: join(import.meta.dirname, 'browser'),
  cacheDir: join(project, '.cache/vite-desk'),
  envDir: false,
  plugins: [react(), tailwindcss(), typefaces(), guides()],
  server: { fs: { allow: [project] } },
  build: {
    // All of these support JSON conversion for passkeys, `light-dark()`, and popovers.
    target: ['safari18.4', 'ios18.4', 'chrome129', 'edge129', 'firefox128'],
    modulePreload: false,
    // The content security policy blocks inline assets.
    assetsInlineLimit: 0,
  },
})

/** Makes `import guide from './x.md'` return HTML without the title, which the page has, and without sentences that link to other files. */
function guides(): Plugin {
  return {
    name: 'guides',
    transform(text, id) {
      if (!id.endsWith('.md')) return null
      const shown = text.replace(/^# .*\n/, '').replaceAll(/ ?\[[^\]]+\]\([\w-]+\.md[^)]*\)[^.]*\./g, '')
      return { code: `export default ${JSON.stringify(marked.parse(shown))}`, moduleType: 'js', map: null }
    },
  }
}

/** The public site's two typefaces, as a separate stylesheet. */
function typefaces(): Plugin {
  const built = Promise.withResolvers<readonly { readonly path: string; readonly bytes: Buffer }[]>()
  return {
    name: 'typefaces',
    async buildStart() {
      const fonts = await makeFonts()
      built.resolve([hashed('typefaces', 'css', Buffer.from(fonts.fallbackFonts + fonts.typefaces)), ...fonts.files])
    },
    async generateBundle() {
      for (const { path, bytes } of await built.promise) {
        this.emitFile({ type: 'asset', fileName: path.slice(1), source: bytes })
      }
    },
    async transformIndexHtml() {
      const [style] = await built.promise
      return [{ tag: 'link', attrs: { rel: 'stylesheet', href: style?.path }, injectTo: 'head' }]
    },
    configureServer({ middlewares }) {
      middlewares.use(async (request, response, next) => {
        const file = (await built.promise).find(({ path }) => path === request.url)
        if (!file) return next()
        response.setHeader('content-type', file.path.endsWith('.css') ? 'text/css' : 'font/woff2')
        response.end(file.bytes)
      })
    },
  }
}
