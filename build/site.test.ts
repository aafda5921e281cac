/** The built pages: limits on their compressed size with the original content, and valid HTML. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HtmlValidate } from 'html-validate'
import { expect, test } from 'vitest'
import { telHref } from '../domain/contact/phone.ts'
import { fileIn, pathWithoutLanguage } from '../domain/languages.ts'
import { compressors } from '../publish/output.ts'
import { MANIFEST_FILE, type SiteManifest } from '../server/http/site-manifest.ts'
import { languages, organization, words } from '../site-folder/site.ts'
import { BUILT } from '../tests/support/built-site.ts'

const { toasts } = words.en
const { toasts: spanishToasts } = words.es

const bytes = (file: string) => readFileSync(join(BUILT, file)).length
const assets = readdirSync(join(BUILT, 'assets'))
const html = (page: string) => readFileSync(join(BUILT, `${page}.html`), 'utf8')

/** Page names in each of the site's languages, such as `es/index`. */
const inEachLanguage = (...pages: readonly string[]) =>
  languages.flatMap(language => pages.map(page => fileIn(language, page)))

const scripts = assets.filter(name => name.endsWith('.js.br'))
/** Every script a page can load. */
const scriptsOf = (page: string) => scripts.filter(name => html(page).includes(name.replace('.br', '')))

test('the landing page and each variant, including styles, fit in a connection’s first round trip', () => {
  const { files } = JSON.parse(readFileSync(join(BUILT, MANIFEST_FILE), 'utf8')) as SiteManifest
  const isHome = (path = '') => pathWithoutLanguage(path) === '/'
  const landing = files
    .filter(({ path, variant }) => isHome(path ?? undefined) || isHome(variant?.of))
    .map(({ file }) => file)
  expect(landing).toEqual(expect.arrayContaining(inEachLanguage('index.html')))
  for (const file of landing) {
    expect(html(file.replace('.html', ''))).not.toMatch(/<link[^>]+rel="stylesheet"/)
    expect(bytes(`${file}.br`), file).toBeLessThanOrEqual(14_600)
  }
})

for (const page of inEachLanguage('index')) {
  test(`the JavaScript for ${page} totals at most 70,000 bytes`, () => {
    expect(scriptsOf(page)).toHaveLength(2)
    const total = scriptsOf(page).reduce((sum, name) => sum + bytes(`assets/${name}`), 0)
    expect(total).toBeLessThanOrEqual(70_000)
  })
}

test('without SITE_URL, no page has a canonical URL, and there is no sitemap; icons exist', () => {
  const read = (file: string) => readFileSync(join(BUILT, file), 'utf8')
  for (const page of ['index', 'advertorial']) {
    expect(html(page)).not.toMatch(/rel="canonical"|property="og:url"/)
    const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html(page)) ?? []
    expect(JSON.parse(data)['@type']).toBe('Organization')
  }
  expect(existsSync(join(BUILT, 'sitemap.xml'))).toBe(false)
  expect(read('robots.txt')).not.toContain('Sitemap')
  for (const { src } of JSON.parse(read('site.webmanifest')).icons) expect(existsSync(join(BUILT, src)), src).toBe(true)
  expect(html('es/decline')).toContain('href="/es/site.webmanifest"')
  expect(JSON.parse(read('es/site.webmanifest'))).toMatchObject({ lang: 'es', start_url: '/es/' })
})

test('each picture is on one page', () => {
  const pages = ['index', 'advertorial', 'thank-you', 'decline']
  const shown = pages.flatMap(page => [
    ...new Set(html(page).match(/\/assets\/[\w-]+\.svg(?=" alt="[^"]*" width="\d{3})/g)),
  ])
  expect(shown.toSorted()).toEqual([...new Set(shown)].toSorted())
  expect(shown).toHaveLength(Object.keys(organization.pictures).length)
})

test('visitors download one language', () => {
  const texts = { en: toasts.incomplete.title, es: spanishToasts.incomplete.title }
  for (const language of languages) {
    const page = fileIn(language, 'index')
    const [script = ''] = scriptsOf(page).filter(name => name.startsWith('browser'))
    const source = readFileSync(join(BUILT, 'assets', script.replace('.br', '')), 'utf8')
    expect(Object.values(texts).filter(text => source.includes(text))).toEqual([texts[language]])
  }
})

const plainPages = inEachLanguage('thank-you', 'decline', 'not-found')

for (const page of plainPages) {
  test(`${page} has no React and under 1 KB of script`, () => {
    const source = html(page)
    expect(source).not.toMatch(/<script[^>]+src=/)
    expect(source).not.toContain('modulepreload')
    const inline = [...source.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text]) => text).join('')
    const typefaces = scripts.find(
      name => /data-script="\/assets\/([^"]+)"/.exec(source)?.[1] === name.replace('.br', ''),
    )
    expect(compressors.br(Buffer.from(inline)).length + bytes(`assets/${typefaces}`)).toBeLessThan(1024)
  })
}

test.each(inEachLanguage('error', 'stop-error', 'submission-error'))(
  '%s is under 2 KB, with the phone number: refusing costs less than serving',
  page => {
    expect(Buffer.byteLength(html(page))).toBeLessThan(2048)
    expect(html(page)).toContain(`href="${telHref(organization.phone)}"`)
    expect(html(page)).not.toMatch(/<script|<link|<img/)
  },
)

const fontBytes = (pattern: RegExp) =>
  assets.filter(name => pattern.test(name)).reduce((sum, name) => sum + bytes(`assets/${name}`), 0)

test('fonts for an English or Spanish page are at most 11,000 bytes for headings and 18,000 for other text', () => {
  expect(fontBytes(/^fraunces-(?!rest).*woff2$/)).toBeGreaterThan(0)
  expect(fontBytes(/^fraunces-(?!rest).*woff2$/)).toBeLessThanOrEqual(11_000)
  expect(fontBytes(/^(?!fraunces|.*-rest-).*woff2$/)).toBeLessThanOrEqual(18_000)
})

test.each([...inEachLanguage('index', 'advertorial'), ...plainPages])(
  '%s loads no font or script before its text is painted, and has no inline styles or event handlers',
  page => {
    expect(html(page)).not.toMatch(/<link[^>]+as="font"/)
    expect(html(page)).not.toMatch(/<link[^>]+modulepreload(?![^>]+media="not all")/)
    // The rules for font files are in a stylesheet that a script activates.
    const [applied, ...others] = [...html(page).matchAll(/<style([^>]*)>(.*?)<\/style>/gs)]
    expect(applied?.[2]).toContain('@font-face{font-family:"Like Atkinson 1"')
    expect(applied?.[2]).not.toContain('.woff2')
    const typefaces = others.filter(([, , text]) => text?.includes('.woff2'))
    expect(typefaces.map(([, attributes]) => attributes)).toEqual([expect.stringContaining('media="(scripting:none)"')])
    const source = html(page).replaceAll(/<(script|style)\b.*?<\/\1>/gs, '')
    expect(source).not.toMatch(/\sstyle="/)
    expect(source).not.toMatch(/\son\w+="/)
  },
)

test('every page is valid and accessible HTML', async () => {
  const validator = new HtmlValidate({
    extends: ['html-validate:standard', 'html-validate:a11y'],
    // Links that look and act like buttons work before the script loads, or without it.
    rules: { 'input-attributes': 'error', 'prefer-native-element': ['error', { exclude: ['button'] }] },
  })

  const pages = readdirSync(BUILT, { recursive: true })
    .map(String)
    .filter(file => file.endsWith('.html'))

  expect(pages.length).toBeGreaterThan(5)
  for (const file of pages) {
    const report = await validator.validateFile(join(BUILT, file))
    const faults = report.results.flatMap(({ messages }) =>
      messages.map(({ line, ruleId, message, selector }) => `${line}: ${ruleId}: ${message} (${selector})`),
    )
    expect([file, faults]).toEqual([file, []])
  }
})
