/** A desk with the demo's month for each journey, and what all of them ask of a page. */
import { test as base, type Page } from '@playwright/test'
import { type DeskServer, startDesk } from '../support/desk-server.ts'

export const { expect } = base

export const test = base.extend<{ desk: DeskServer; view: Page }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
  desk: async ({}, use) => {
    const desk = await startDesk()
    await use(desk)
    await desk.close()
  },
  /** A signed-in page. */
  view: async ({ desk, browser }, use) => {
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(desk.link)
    await use(page)
    await context.close()
  },
})

/** Signed in, and with what was asked for: on the page for signing in everything else would pass by itself. */
export async function settled(page: Page) {
  await expect(page.getByRole('navigation', { name: 'Desk', exact: true })).toBeVisible()
  await expect(page.getByText(/^Loading /)).toHaveCount(0)
}

export async function firstId(
  { store }: DeskServer,
  filter: Parameters<DeskServer['store']['count']>[0],
): Promise<string> {
  const [lead] = await store.page({ filter, order: 'newest first', limit: 1, after: null })
  if (!lead) throw new Error(`The demo has no lead like this: ${JSON.stringify(filter)}`)
  return lead.id
}
