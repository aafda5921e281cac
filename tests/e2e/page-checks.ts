/** Checks that apply to any page: axe, nothing cut off, no broken words. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Locator, type Page, test } from '@playwright/test'
import type axe from 'axe-core'

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice']

/** Checks the page, or one part of it, against WCAG 2.2 A and AA and axe's best practices. */
export async function expectNoViolations(page: Page, part = 'html') {
  // axe runs only in the main frame and would miss any others.
  expect(page.frames()).toHaveLength(1)
  // axe is half a megabyte, so load it only once per page.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  const { violations, passes } = await page.evaluate(
    async ([part, rules]) => {
      // axe would judge an element half under the sticky header by its visible half.
      scrollTo({ top: 0, behavior: 'instant' })
      const found = await (window as unknown as { axe: typeof axe }).axe.run(part, {
        runOnly: rules,
        resultTypes: ['violations'],
      })
      return {
        violations: found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.target).join(', ')}`),
        passes: found.passes.length,
      }
    },
    [part, rules] as const,
  )
  expect(passes, 'rules that applied').toBeGreaterThan(10)
  expect(violations).toEqual([])
}

/** Checks both a phone and a desktop, as the accessibility statement says. */
export async function expectAccessible(page: Page, state: string, part?: string) {
  for (const viewport of [
    { width: 360, height: 740 },
    { width: 1280, height: 800 },
  ]) {
    await test.step(`${state} at ${viewport.width} px`, async () => {
      await page.setViewportSize(viewport)
      await expectNoViolations(page, part)
    })
  }
}

/** Every heading and link, including those below the fold. Browsers leave out what `content-visibility` skips. */
export async function expectAllInAccessibilityTree(page: Page) {
  const inPage = await page.evaluate(() =>
    ['h1,h2,h3,h4', 'a[href]'].map(
      selector => [...document.querySelectorAll(selector)].filter(element => element.checkVisibility()).length,
    ),
  )
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  const roles = nodes.filter(({ ignored }) => !ignored).map(({ role }) => role?.value)
  // Links that look like buttons have that role.
  const links = await page.locator('a[href][role=button]').count()
  const count = (name: string) => roles.filter(role => role === name).length
  expect([count('heading'), count('link') + links]).toEqual(inPage)
}

const LARGE = 'html{font-size:200%}'
const SPACED =
  '*{line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important}p{margin-bottom:2em!important}'
/** A desktop at 400%, with the text spacing of WCAG 1.4.12. */
export const zoomed = { viewport: { width: 320, height: 256 }, css: SPACED }
/** For other text in a place that was checked in all conditions. */
export const tightestConditions = [
  { name: '180 px wide', viewport: { width: 180, height: 640 }, css: '' },
  { name: '200% text at 320 px', viewport: { width: 320, height: 640 }, css: LARGE },
]
const tightConditions = [
  { name: '320 px wide', viewport: { width: 320, height: 640 }, css: '' },
  { name: '200% text on a phone', viewport: { width: 390, height: 844 }, css: LARGE },
  { name: '200% text on a desktop', viewport: { width: 1280, height: 800 }, css: LARGE },
  { name: 'text spacing of WCAG 1.4.12', viewport: { width: 360, height: 740 }, css: SPACED },
  ...tightestConditions,
]

/** Needs `bypassCSP`. */
export async function inTightConditions(
  page: Page,
  check: (condition: string) => Promise<void>,
  conditions = tightConditions,
) {
  for (const { name, viewport, css } of conditions) {
    await page.setViewportSize(viewport)
    const style = await page.addStyleTag({ content: css || '/**/' })
    await check(name)
    await style.evaluate(element => (element as Element).remove())
  }
}

export async function expectNothingCutOff(page: Page, about: string) {
  const problems = await page.evaluate(() => {
    const width = document.documentElement.clientWidth
    const found =
      document.documentElement.scrollWidth > width ? [`page is ${document.documentElement.scrollWidth} wide`] : []
    for (const element of document.querySelectorAll('h1,h2,h3,p,a,button,input,label,summary,li,dt,dd,span')) {
      const box = element.getBoundingClientRect()
      if (box.width === 0 || element.closest('.sr-only, [class*="sr-only"]')) continue
      if (box.right > width + 1 || box.left < -1) found.push(`outside: ${element.textContent?.slice(0, 40)}`)
      const { overflowX } = getComputedStyle(element)
      if (overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1 && element.tagName !== 'INPUT') {
        found.push(`cut off: ${element.textContent?.slice(0, 40)}`)
      }
    }
    return found
  })
  expect(problems, about).toEqual([])
}

/** Matches of `words` that break across lines. */
export const brokenWords = (within: Locator, words: RegExp) =>
  within.evaluate((element, source) => {
    const found: string[] = []
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const { index, 0: word } of (node.textContent ?? '').matchAll(new RegExp(source, 'gu'))) {
        const range = new Range()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        if (new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size > 1) found.push(word)
      }
    }
    return found
  }, words.source)
