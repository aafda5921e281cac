/** A second landing page has its own copy and none of the first page's. */

import { expect, test } from 'vitest'
import { testimonialsIn, words } from '../../../site-folder/site.ts'
import type { Page } from '../page.ts'
import { siteCopy } from '../pages.ts'
import { renderPage } from '../render.tsx'
import { campaignLandingPage, type LandingPageCopy, landingPage, landingPages } from './landing.tsx'

const { landing } = words.en

const asset = '/assets/x'
const picture = { src: asset, width: 1, height: 1 }
const destination = { leadEndpoint: '/api/leads', consentVersion: 'v', questionnaireVersion: 'q' }
const options = {
  siteUrl: 'https://www.example.org',
  panelScripts: { en: asset, es: asset },
  typefacesScript: asset,
  sayMoreScript: asset,
  destinations: { en: destination, es: destination },
  draftVersion: 'd',
  trustedForm: 'off',
  typefaces: '',
  fallbackFonts: '',
  assets: {
    mark: asset,
    photos: {},
    pictures: {
      advocate: picture,
      call: picture,
      papers: picture,
      paths: picture,
      seniors: picture,
      shoulder: picture,
    },
    socialPreview: asset,
    touchIcon: asset,
    largeIcon: asset,
  },
  builtOn: new Date('2026-01-01'),
  hasReceiver: true,
} as const

const isData = (key: string) => key === 'icon' || key === 'href'

/** Marks every string, so hard-coded text stands out. */
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

const htmlOf = (page: Page) =>
  renderPage(page, options).replaceAll('&#x27;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&')

const first: LandingPageCopy = { ...landing, testimonials: testimonialsIn('en') }
const english = siteCopy('en')

test('a second landing page is rendered from its own content, at its own path', () => {
  const html = htmlOf(landingPage('/veterans', forVeterans(first), english))
  expect(html).toContain('<link rel="canonical" href="https://www.example.org/veterans"/>')
  expect(html).toContain('name="page" value="/veterans"')
  const firstHtml = htmlOf(landingPage('/', first, english))
  const shown = textsOf(first).filter(text => firstHtml.includes(`>${text}<`))
  // At least the first screen: an operator can hide every section.
  expect(shown.length).toBeGreaterThan(5)
  for (const text of shown) {
    expect(html).toContain(`>${forVeterans(text)}<`)
    expect(html).not.toContain(`>${text}<`)
  }
})

test('a campaign’s page has its own texts and isn’t indexed', () => {
  const copy = { ...first, title: 'For veterans', hero: { ...first.hero, lead: 'Served?' }, urgency: null }
  const page = campaignLandingPage('/veterans', copy, english)
  const html = htmlOf(page)
  expect(html).toContain('<title>For veterans</title>')
  expect(html).toContain('>Served?</p>')
  expect(html).toContain(first.disclaimer.heading)
  expect(html).toContain('name="page" value="/veterans"')
  expect(html).not.toContain('id="urgency"')
  expect(page.indexed).toBe(false)
})

test('each variant has its own headline at the same path and sends its name with the lead; without any, the page is unchanged', () => {
  const unchanged = landingPages('/', first, [], english).map(htmlOf)
  expect(unchanged).toEqual([htmlOf(landingPage('/', first, english))])
  expect(unchanged[0]).not.toContain('variant')
  const variants = [{ name: 'plain', headline: 'Disabled and out of work?', lead: 'Here is help.' }]
  const [original = '', plain = ''] = landingPages('/', first, variants, english).map(htmlOf)
  expect(original).toContain(first.hero.headline)
  expect(plain).not.toContain(first.hero.headline)
  expect(plain).toMatch(/<h1[^>]*>Disabled and out of work\?<\/h1>/)
  expect(plain).toContain('>Here is help.</p>')
  for (const [name, html] of Object.entries({ original, plain })) {
    expect(html).toContain('<link rel="canonical" href="https://www.example.org/"/>')
    expect(html).toContain(`"variant":"${name}"`)
    expect(html).toContain(`<input type="hidden" name="variant" value="${name}"/>`)
  }
})

test('each sample among real testimonials has its own label, and the real ones have none', () => {
  const [sampleHeading, sampleNote, sampleLabel] = ['Samples', 'All are samples.', 'A sample.']
  const socialProof = { heading: 'People', starsLabel: null, sampleHeading, sampleNote, sampleLabel }
  const quotes = (...samples: boolean[]) =>
    htmlOf(
      landingPage(
        '/',
        {
          ...first,
          socialProof,
          testimonials: samples.map((sample, index) => ({ name: `Person ${index}`, text: `Text ${index}`, sample })),
        },
        english,
      ),
    )
  const mixed = quotes(false, true)
  expect(mixed).not.toContain(sampleNote)
  expect(mixed).toMatch(new RegExp(`Person 0</figcaption>.*Person 1<span[^>]*>${sampleLabel}</span></figcaption>`))
  expect(mixed.split(sampleLabel)).toHaveLength(2)
  expect(quotes(false, false)).not.toContain(sampleLabel)
  expect(quotes(true, true)).toContain(sampleNote)
  expect(quotes(true, true)).not.toContain(socialProof.heading)
  expect(quotes(true, true)).not.toContain(sampleLabel)
})
