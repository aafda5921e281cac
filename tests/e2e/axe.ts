/** Checks a page with axe, by the rules of WCAG 2.2 A and AA and axe's best practices. */
import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice']

/** The whole page, or one part of it. */
export async function expectNoViolations(page: Page, part = 'html') {
  // axe runs in the page only and would miss frames.
  expect(page.frames()).toHaveLength(1)
  // Half a megabyte: only once per page.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations, passes } = await page.evaluate(
    async ([part, rules]) => {
      // Elements half under the sticky header would be judged by the visible half.
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
