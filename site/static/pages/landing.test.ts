/** A second landing page has its own copy and none of the first page's. */
import { describe, expect, test } from 'vitest'
import { landing } from '../../../content/landing.ts'
import { testimonials } from '../../../content/testimonials.ts'
import type { Page } from '../page.ts'
import { english } from '../pages.ts'
import { renderPage } from '../render.tsx'
import { anotherLandingPage, type LandingCopy, landingPage, landingPages } from './landing.tsx'

const asset = '/assets/x'
const picture = { src: asset, width: 1, height: 1 }
const options = {
  siteUrl: 'https://www.example.org',
  scripts: {
    questionnaire: '/assets/browser.js',
    contactForm: '/assets/contact-form.js',
    typefaces: '/assets/typefaces.js',
  },
  destination: { leadEndpoint: '/api/leads', consentVersion: 'v', questionnaireVersion: 'q' },
  trustedForm: 'off',
  typefaces: '',
  standIns: '',
  assets: {
    mark: asset,
    photos: {},
    pictures: { advocate: picture, call: picture, papers: picture, seniors: picture, shoulder: picture },
    socialPreview: asset,
    touchIcon: asset,
    largeIcon: asset,
  },
  builtOn: new Date('2026-01-01'),
  hasReceiver: true,
} as const

const isData = (key: string) => key === 'icon' || key === 'href'

/** Marks every string, so that hard-coded text stands out. */
function forVeterans<T>(copy: T): T {
  if (typeof copy === 'string') return `${copy} – for veterans` as T
  if (Array.isArray(copy)) return copy.map(forVeterans) as T
  if (copy === null || typeof copy !== 'object') return copy
  const entries = Object.entries(copy).map(([key, value]) => [key, isData(key) ? value : forVeterans(value)])
  return Object.fromEntries(entries) as T
}

function textsOf(copy: unknown): string[] {
  if (typeof copy === 'string') return [copy]
  if (copy === null || typeof copy !== 'object') return []
  return Object.entries(copy).flatMap(([key, value]) => (isData(key) ? [] : textsOf(value)))
}

function htmlOf(path: string, copy: LandingCopy): string {
  const html = renderPage(landingPage(path, copy, english), options)
  return html.replaceAll('&#x27;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

const first: LandingCopy = { ...landing, testimonials }

test('a second landing page is rendered from other content, at its own path', () => {
  const html = htmlOf('/veterans', forVeterans(first))
  expect(html).toContain('<link rel="canonical" href="https://www.example.org/veterans"/>')
  expect(html).toContain('name="page" value="/veterans"')
  const firstHtml = htmlOf('/', first)
  const shown = textsOf(first).filter(text => firstHtml.includes(`>${text}<`))
  expect(shown.length).toBeGreaterThan(40)
  for (const text of shown) {
    expect(html).toContain(`>${forVeterans(text)}<`)
    expect(html).not.toContain(`>${text}<`)
  }
})

test('a page in content/landing-pages.ts changes only what it lists and isn’t indexed', () => {
  const page = anotherLandingPage(
    { path: '/veterans', title: 'For veterans', hero: { lead: 'Served?' } },
    first,
    english,
  )
  const html = renderPage(page, options)
  expect(html).toContain('<title>For veterans</title>')
  expect(html).toContain('>Served?</p>')
  expect(html).toContain(first.faq.heading)
  expect(html).toContain('name="page" value="/veterans"')
  expect(page.indexed).toBe(false)
})

describe('variants of the headline', () => {
  const copy = { ...landing, testimonials }
  const variants = [{ name: 'plain', headline: 'Disabled and out of work?', lead: 'Here is help.' }]
  const unescaped = (html: string) => html.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&')

  test('without variants, the page stays the same', () => {
    const [page, ...others] = landingPages('/', copy, [], english)
    expect(others).toEqual([])
    const html = unescaped(renderPage(page as Page, options))
    expect(html).toBe(unescaped(renderPage(landingPage('/', copy, english), options)))
    expect(html).not.toContain('variant')
  })

  test('each variant has its own headline at the same path and sends its name with the lead', () => {
    const [original, plain] = landingPages('/', copy, variants, english).map(page =>
      unescaped(renderPage(page, options)),
    )
    expect(original).toContain(copy.hero.headline)
    expect(plain).not.toContain(copy.hero.headline)
    expect(plain).toMatch(/<h1[^>]*>Disabled and out of work\?<\/h1>/)
    expect(plain).toContain('>Here is help.</p>')
    for (const [html, name] of [
      [original, 'original'],
      [plain, 'plain'],
    ]) {
      expect(html).toContain('<link rel="canonical" href="https://www.example.org/"/>')
      expect(html).toContain(`"variant":"${name}"`)
      expect(html).toContain(`<input type="hidden" name="variant" value="${name}"/>`)
    }
  })
})
