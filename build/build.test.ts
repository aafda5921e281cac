import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { removeUnusedCss } from '../publish/output.ts'
import { newFolder } from '../tests/support/after-test.ts'
import { fingerprintOf } from './build.ts'

let root: string
beforeEach(() => {
  root = newFolder()
  write('package-lock.json', '{}')
  write('site/main.ts', "import { a } from '../server/a.ts'\nimport type { T } from '../server/types.ts'\n")
  write('server/a.ts', "import {\n  b,\n} from './b.ts'\n")
  write('server/b.ts', "const c = await import('./deep/c.ts')\nexport * from './d.ts'\n")
  write('server/deep/c.ts', '')
  write('server/d.ts', "import './style.css?inline'\n")
  write('server/style.css', '')
  write('server/types.ts', '')
  write('server/unused.ts', '')
})

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

const current = (settings = {}) => fingerprintOf(root, ['site/**'], settings).hash

function changesHash(file: string): boolean {
  const before = current()
  appendFileSync(join(root, file), '\n// changed\n')
  return current() !== before
}

test('the fingerprint changes only when bundled files or settings do', () => {
  const bundled = ['a.ts', 'b.ts', 'deep/c.ts', 'd.ts', 'style.css'].map(file => `server/${file}`)
  const included = [...bundled, 'site/main.ts', 'site/new.ts', 'package-lock.json']
  const excluded = ['server/unused.ts', 'server/types.ts', 'site/main.test.ts']
  expect([...included, ...excluded].filter(changesHash)).toEqual(included)
  expect(current({ siteUrl: 'https://a.test' })).not.toBe(current())
})

const page = (style: string, body: string) => `<style>${style}</style><body>${body}</body>`

test('removes rules for classes that only other pages use, even inside a media query', () => {
  const html = page('.a{color:red}.b{color:tan}@media print{.b{top:0}.a{top:1px}}', '<p class="a">b</p>')
  expect(removeUnusedCss(html.replace('>b<', '>c<'), '')).toBe(
    page('.a{color:red}@media print{.a{top:1px}}', '<p class="a">c</p>'),
  )
})

test('keeps rules for elements, for escaped class names, and for classes that a script sets', () => {
  const style = 'p{top:0}.lg\\:b{top:1px}.\\[\\&_a\\]{top:2px}.late{top:3px}'
  const html = page(style, '<p class="lg:b [&amp;_a]">')
  expect(removeUnusedCss(html, 'className:`x late`')).toBe(html)
})
