/** Every page in every language, as search engines and visitors find it: on the filled-in site, whose legal pages are published. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileIn, languageOfPath, pathInLanguage, pathWithoutLanguage } from '../domain/languages.ts'
import { MANIFEST_FILE, type SiteManifest } from '../server/http/site-manifest.ts'
import { landingPages, languageNames, languages } from '../site-folder/site.ts'
import { inEachLanguage } from '../tests/support/content.ts'
import { FILLED_IN } from '../tests/support/filled-in.ts'
import { onDemand } from '../tests/support/on-demand.ts'

await onDemand('filledInSite')

const folder = join(FILLED_IN, 'built')
const SITE = 'https://www.harborlight.test'

const { files } = JSON.parse(readFileSync(join(folder, MANIFEST_FILE), 'utf8')) as SiteManifest
/** Headlines to test and pages for campaigns may be in one language only. */
const isForCampaign = (file: string) =>
  file.includes('variants/') || landingPages.some(({ path }) => pathWithoutLanguage(`/${file}`) === `${path}.html`)
const all = files
  .filter(({ file }) => file.endsWith('.html') && !isForCampaign(file))
  .map(({ path, file }) => ({ path, file, html: readFileSync(join(folder, file), 'utf8') }))
const withPath = all.flatMap(page => (page.path === null ? [] : [{ ...page, path: page.path }]))

/** Their header and footer are plain: refusing must cost less than serving. */
const isForErrors = (file: string) => file.endsWith('error.html')
const titleOf = (html: string) => /<title>(.+?)<\/title>/.exec(html)?.[1] ?? ''
const isIndexed = (html: string) => !html.includes('content="noindex"')
const alternatesOf = (html: string) =>
  Object.fromEntries(
    Array.from(html.matchAll(/<link rel="alternate" hrefLang="([^"]+)" href="([^"]+)"/gi), ([, name, href]) => [
      name,
      href,
    ]),
  )

test('every page exists in every language, with its own language, title, and description', () => {
  const english = all.filter(({ file }) => languageOfPath(`/${file}`) === 'en').map(({ file }) => file)
  expect(all.map(({ file }) => file).toSorted()).toEqual(
    languages.flatMap(language => english.map(file => fileIn(language, file))).toSorted(),
  )
  for (const { file, html } of all) {
    const language = languageOfPath(`/${file}`)
    expect([file, /<html lang="(\w+)"/.exec(html)?.[1]]).toEqual([file, language])
    expect(titleOf(html), file).not.toBe('')
    if (!isForErrors(file)) expect(html, file).toMatch(/<meta name="description" content="[^"]{20,}"/)
  }
  const titles = withPath.map(({ html }) => titleOf(html))
  expect(new Set(titles).size).toBe(titles.length)
})

test('indexed pages name each other as translations, with English for everyone else; the others name none', () => {
  for (const { path, html } of withPath) {
    const base = pathWithoutLanguage(path)
    const expected = {
      ...Object.fromEntries(languages.map(language => [language, SITE + pathInLanguage(language, base)])),
      'x-default': SITE + base,
    }
    const isTranslated = isIndexed(html) && languages.length > 1
    expect([path, alternatesOf(html)]).toEqual([path, isTranslated ? expected : {}])
    if (languages.length > 1) expect(html).toContain(`<meta property="og:locale" content="${languageOfPath(path)}_US"`)
  }
})

test('the sitemap lists the indexed pages in every language, and no others', () => {
  const indexed = withPath.filter(({ html }) => isIndexed(html)).map(({ path }) => SITE + path)
  const sitemap = readFileSync(join(folder, 'sitemap.xml'), 'utf8')
  expect(readFileSync(join(folder, 'robots.txt'), 'utf8')).toContain(`${SITE}/sitemap.xml`)
  const listed = Array.from(sitemap.matchAll(/<loc>([^<]+)</g), ([, url]) => url)
  expect(listed.toSorted()).toEqual(indexed.toSorted())
  for (const path of inEachLanguage('/', '/advertorial', '/privacy')) expect(listed).toContain(SITE + path)
  for (const path of inEachLanguage('/thank-you', '/decline')) {
    expect(withPath.map(page => page.path)).toContain(path)
    expect(listed).not.toContain(SITE + path)
  }
})

test('the link at the top leads to the same page, or home from a page without a path', () => {
  for (const { path, file, html } of all.filter(page => !isForErrors(page.file))) {
    const [other] = languages.filter(language => language !== languageOfPath(`/${file}`))
    const link = /<a href="([^"]+)" lang="(\w+)" hrefLang="(\w+)"[^>]*>([^<]+)</i.exec(html)?.slice(1)
    if (other === undefined) {
      expect([file, link]).toEqual([file, undefined])
      continue
    }
    const target = pathInLanguage(other, path === null ? '/' : pathWithoutLanguage(path))
    expect([file, link]).toEqual([file, [target, other, other, languageNames[other]]])
  }
})
