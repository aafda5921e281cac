/** What axe finds on a page, by the rules of WCAG 2.2 A and AA and by its own of good practice. */
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice']

export async function expectNoViolations(page: Page) {
  // Legacy mode judges the page where it is. The other opens a second page to put the findings of frames together, which
  // doubles the time, and there is no frame here.
  expect(page.frames()).toHaveLength(1)
  // What is scrolled half under the sticky header would be judged by the half that shows.
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  const { violations, passes } = await new AxeBuilder({ page }).withTags(rules).setLegacyMode(true).analyze()
  expect(passes.length, 'rules that axe has found something to judge by').toBeGreaterThan(10)
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.target).join(', ')}`)).toEqual([])
}
