/** Path: the demo's link → Today → leads on hold → one of them → approve it. */
import { startDesk } from '../support/desk-server.ts'
import { UNTIL_PARSED } from './browser.ts'
import { test as base, eventually, expect, Visitor } from './visitor.ts'

// A fixture, so the browser closes before the desk: open pages keep polling and would keep the desk from closing.
const test = base.extend<{ desk: Awaited<ReturnType<typeof startDesk>> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
  desk: async ({}, use) => {
    const desk = await startDesk()
    await use(desk)
    await desk.close()
  },
})

test('the desk works: figures, a filtered list, a lead, a dialog, and an action', async ({ desk, tab }) => {
  const maria = new Visitor(tab, desk)
  await tab.goto(desk.link, UNTIL_PARSED)
  await eventually(() => maria.text()).toMatch(/Received today\s+\d+/)
  const { store } = desk
  const [held] = await store.page({ filter: { state: 'held' }, order: 'newest first', limit: 1, after: null })
  await maria.open('/leads?state=held')
  await eventually(() => maria.text()).toContain(held?.lastName)
  await maria.press(`[data-lead="${held?.id}"]`)
  await eventually(() => maria.text()).toContain('On hold: needs review')
  await maria.press('section button:has([data-icon=check])')
  await eventually(() => maria.text()).toContain('This can’t be undone.')
  await maria.press('dialog button[type=submit]')
  await eventually(() => maria.text()).toContain('Approved. It’s being sent now.')
  expect(await store.find(held?.id ?? '')).toMatchObject({ state: 'accepted' })
})
