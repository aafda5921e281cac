/** Path: the demo's link → Today → the leads of seven days → a lead on hold → approve it. */
import { startDesk } from '../support/desk-server.ts'
import { UNTIL_PARSED } from './browser.ts'
import { eventually, expect, test, Visitor } from './visitor.ts'

test('the desk works here: figures, a list by time, a lead, a dialog and what is done there', async ({
  browserWith,
}) => {
  const desk = await startDesk()
  const { tab } = await browserWith({ scripting: true })
  const maria = new Visitor(tab, desk)
  try {
    await tab.goto(desk.link, UNTIL_PARSED)
    await eventually(() => maria.text()).toMatch(/Received today\s+\d+/)
    const { store } = desk
    const [held] = await store.page({ filter: { state: 'held' }, order: 'newest first', limit: 1, after: null })
    await maria.open('/leads?state=held&period=30d')
    await eventually(() => maria.text()).toContain(held?.lastName)
    await maria.press(`[data-lead="${held?.id}"]`)
    await eventually(() => maria.text()).toContain('On hold: needs review')
    await maria.press('section button:has(.lucide-check)')
    await eventually(() => maria.text()).toContain('This can’t be undone.')
    await maria.press('dialog button[type=submit]')
    await eventually(() => maria.text()).toContain('Approved. It’s being sent now.')
    expect(await store.find(held?.id ?? '')).toMatchObject({ state: 'accepted' })
  } finally {
    // Its polling would keep the desk from closing.
    await tab.goto('about:blank', UNTIL_PARSED)
    await desk.close()
  }
})
