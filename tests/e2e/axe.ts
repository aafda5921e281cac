/** What axe finds on a page, by the rules of WCAG 2.2 A and AA and by its own of good practice. */
import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice']

export async function expectNoViolations(page: Page) {
  // axe is put into the page alone, and would not look into frames.
  expect(page.frames()).toHaveLength(1)
  // Half a megabyte: once for a page, however often it is judged.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations, passes } = await page.evaluate(async rules => {
    // What is scrolled half under the sticky header would be judged by the half that shows.
    scrollTo({ top: 0, behavior: 'instant' })
    const found = await (window as unknown as { axe: typeof axe }).axe.run({
      runOnly: rules,
      resultTypes: ['violations'],
    })
    return {
      violations: found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.target).join(', ')}`),
      passes: found.passes.length,
    }
  }, rules)
  expect(passes, 'rules that axe has found something to judge by').toBeGreaterThan(10)
  expect(violations).toEqual([])
}
