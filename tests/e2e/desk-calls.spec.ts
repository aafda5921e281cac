/** Calling people from the desk: by keyboard, on a phone, after a reload, and with a colleague. */

import type { Locator, Page } from '@playwright/test'
import { timesIn } from '../../desk/browser/times.ts'
import { localTime } from '../../domain/calling/local-time.ts'
import { callOutcomeNames } from '../../domain/calling/outcomes.ts'
import { addDays } from '../../domain/dates.ts'
import { WORKDAY } from '../support/desk-server.ts'
import { test as base, capture, expect, openPage } from './desk-fixture.ts'
import { expectNoViolations } from './page-checks.ts'

/** Newest first on the list. */
const people = [
  ['Ida', '(808) 555-0121'],
  ['Otis', '(312) 555-0141'],
  ['Vera', '(305) 555-0142'],
  ['Wanda', '(212) 555-0148'],
] as const

const test = base.extend<{ ids: Readonly<Record<string, string>>; clock: { at: number } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
  clock: async ({}, use) => use({ at: WORKDAY - 60_000 * people.length }),
  deskOptions: async ({ clock }, use) => use({ callList: true, now: () => clock.at++ }),
  ids: async ({ desk, clock }, use) => {
    const ids: Record<string, string> = {}
    for (const [name, phone] of people.toReversed()) {
      ids[name] = await capture(desk, name, { contact: { phone } })
      clock.at += 60_000
    }
    await use(ids)
  },
})

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const notices = (page: Page) => page.getByLabel('Notifications')

test('an agent makes three calls by keyboard: Enter opens the next person and dials their number', async ({
  signIn,
  desk,
  ids,
}) => {
  const page = await signIn('Cal Caller', 'agent')
  await openPage(page, '/')
  await expect(heading(page)).toHaveText('Calls')
  await expect(page.getByText(/^4 ready to call/)).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'Ida Lovelace' })).toContainText('Hawaii')
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Ida Lovelace')

  await expect(page.getByRole('heading', { name: 'What happened?' })).toBeVisible()
  expect(await desk.store.callLog(ids['Ida'] ?? '')).toEqual([])
  // Once someone has had time to read whom.
  await expect(page.getByRole('button', { name: /^Call \(/ }).getByText('Enter')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^You called at \d/)).toBeVisible()
  await page.keyboard.press('4')
  await expect(page.getByRole('radio', { name: 'No answer' })).toBeChecked()
  expect(await desk.store.callLog(ids['Ida'] ?? '')).toMatchObject([{ outcome: 'not recorded' }])
  await page.getByLabel('Note (optional)').fill('Try the evening.')
  await page.keyboard.press('Control+Enter')
  await expect(heading(page)).toHaveText('Otis Lovelace')
  await expect(notices(page)).toContainText('Ida Lovelace: No answer.')

  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0)
  await page.keyboard.press('3')
  await expect(page.getByText(/, 10:00 AM their time \(11:00 AM office time\)/)).toBeVisible()
  await page.keyboard.press('9')
  await expect(page.getByRole('radio', { name: /^This evening/ })).toBeChecked()
  await page.keyboard.press('Control+Enter')
  await expect(heading(page)).toHaveText('Vera Lovelace')
  await expect(notices(page)).toContainText(
    /Otis Lovelace: Callback, \w+, \w+ \d+, 6:00 PM their time \(7:00 PM office time\)\./,
  )

  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0)
  await page.keyboard.press('1')
  await page.getByRole('button', { name: 'Save and stop' }).press('Enter')
  await expect(heading(page)).toHaveText('Calls')
  await expect(page.getByText(/^1 ready to call/)).toBeVisible()
  const outcomes = await Promise.all(
    ['Ida', 'Otis', 'Vera'].map(async name => (await desk.store.callLog(ids[name] ?? ''))[0]?.outcome),
  )
  expect(outcomes).toEqual(['no answer', 'call back', 'going ahead'])

  // Undo brings the call back, open. Nobody dialed this one, so no page asks what happened, but the list leads back to it.
  await page.getByRole('button', { name: 'Undo' }).last().press('Enter')
  await expect(heading(page)).toHaveText('Vera Lovelace')
  await expect(page.getByRole('heading', { name: 'What happened?' })).toBeVisible()
  const navigation = page.getByRole('navigation', { name: 'Desk', exact: true })
  await expect(navigation.getByRole('link', { name: 'Calls' })).toHaveAttribute('aria-current', 'page')
  await page.keyboard.press('c')
  await expect(page.getByText(/You called Vera/)).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Opened, not called yet' }).getByRole('link')).toContainText(
    'Vera Lovelace',
  )
  await page.getByRole('link', { name: '1 callback due today' }).press('Enter')
  await expect(heading(page)).toHaveText('Callbacks due today')
  await expect(page.getByRole('table')).toContainText('Otis Lovelace')
  await page.getByRole('link', { name: 'Leads', exact: true }).click()
  const statusOf = (name: string) => page.getByRole('row').filter({ hasText: name })
  await expect(statusOf('Ida Lovelace')).toContainText('Called')
  await expect(statusOf('Otis Lovelace')).toContainText('Callback')
  await expect(statusOf('Wanda Lovelace')).toContainText('New')

  // A filter that's taken back stays in view, with the focus.
  await page.getByText('Filters', { exact: true }).click()
  await page.getByText('About calls', { exact: true }).click()
  const outcomeFilter = page.getByLabel('Outcome', { exact: true })
  await outcomeFilter.selectOption('=no answer')
  await expect(page).toHaveURL(/outcome=/)
  await outcomeFilter.selectOption('')
  await expect(page).toHaveURL(/leads$/)
  await expect(outcomeFilter).toBeVisible()

  // Of two messages at once, screen readers hear both.
  await openPage(page, `/leads/${ids['Vera']}`)
  for (const name of ['Vera', 'Wanda']) {
    await expect(heading(page)).toHaveText(`${name} Lovelace`)
    await page.getByRole('radio', { name: 'Talked: moving forward' }).check()
    await page.getByRole('button', { name: 'Save and next' }).click()
  }
  await expect(page.getByRole('status').filter({ hasText: 'That was the last person' })).toContainText('Wanda')
})

test('Enter held down does one thing: it doesn’t go on to the next person; a call that couldn’t be loaded says so', async ({
  signIn,
  desk,
  ids,
}) => {
  const page = await signIn('Cal Caller', 'agent')
  const claims: string[] = []
  page.on('request', request => {
    if (request.url().endsWith('/api/calls/next')) claims.push(request.url())
  })
  await openPage(page, '/calls')
  await page.keyboard.down('Enter')
  await expect(page.getByRole('heading', { name: 'What happened?' })).toBeVisible()
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await page.keyboard.press('4')
  await page.getByRole('button', { name: 'Save and stop' }).focus()
  await page.keyboard.down('Enter')
  await expect(page.getByText(/^3 ready to call/)).toBeVisible()
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await expect(heading(page)).toHaveText('Calls')
  expect(await desk.store.callLog(ids['Ida'] ?? '')).toMatchObject([{ outcome: 'no answer' }])
  expect(claims).toHaveLength(1)
  // Otherwise, shortcuts would silently do nothing.
  await page.route(`**/api/calls/${ids['Wanda']}`, route => route.abort())
  await openPage(page, `/leads/${ids['Wanda']}`)
  await expect(page.getByRole('alert')).toContainText('Couldn’t load the call')
})

test('what is missing comes into view with the focus; outcomes and Save are on one screen, which messages don’t cover', async ({
  signIn,
  ids,
}) => {
  const page = await signIn('Cal Caller', 'agent')
  await page.setViewportSize({ width: 1280, height: 600 })
  await openPage(page, `/leads/${ids['Ida']}`)
  await page.getByRole('button', { name: 'Log a call' }).click()
  await expect(page.getByRole('heading', { name: 'What happened?' })).toBeAttached()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Choose what happened.')).toBeInViewport()
  await expect(page.getByRole('radio', { name: 'Talked: moving forward' })).toBeFocused()
  await page.keyboard.press('3')
  await expect(page.getByRole('radio', { name: 'Pick a time' })).toBeInViewport()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Choose when to call back.')).toBeInViewport()
  await page.keyboard.press('4')
  await page.keyboard.press('Control+Enter')
  await expect(heading(page)).toHaveText('Otis Lovelace')
  await expect(page.getByRole('heading', { name: 'What happened?' })).toBeVisible()
  await page.evaluate(() => scrollTo(0, 0))
  const [save, lastOutcome] = [
    page.getByRole('button', { name: 'Skip' }),
    page.locator('#outcome').getByText('Never call again'),
  ]
  const boxOf = async (locator: Locator) => (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await expect(save).toBeInViewport({ ratio: 1 })
  const note = page.getByLabel('Note (optional)')
  for (const [height, last] of [
    [768, lastOutcome],
    [800, note],
  ] as const) {
    await page.setViewportSize({ width: 1280, height })
    expect((await boxOf(last)).y + (await boxOf(last)).height).toBeLessThan((await boxOf(save)).y)
  }
  // The page doesn't move after a choice, so a double-click doesn't choose another one.
  await page.getByText('Left voicemail').dblclick()
  await expect(page.getByRole('radio', { name: 'Left voicemail' })).toBeChecked()
  // What was saved is part of the page until the next one.
  for (const [width, height] of [
    [1366, 768],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height })
    const notice = await boxOf(notices(page).getByText('Ida Lovelace: No answer.'))
    expect(notice.y + notice.height).toBeLessThan((await boxOf(heading(page))).y)
  }
  await page.getByRole('radio', { name: 'Call back…' }).check()
  await note.focus()
  expect((await boxOf(note)).y + (await boxOf(note)).height).toBeLessThan((await boxOf(save)).y)
  await page.getByRole('link', { name: 'Calls', exact: true }).first().click()
  await expect(notices(page)).toHaveCount(0)
})

test('on a phone, the outcomes fill the screen as rows of at least 52 px', async ({ signIn, desk, ids }) => {
  const page = await signIn('Cal Caller', 'agent', {
    reducedMotion: 'reduce',
    viewport: { width: 360, height: 740 },
  })
  await openPage(page, '/')
  await expect(page.getByRole('button', { name: 'Call next' })).toBeInViewport()
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Call next' }).click()
  await expect(heading(page)).toHaveText('Ida Lovelace')
  await page.getByRole('button', { name: 'What happened?' }).click()
  const rows = page.locator('label').filter({ has: page.locator('input[name=outcome]') })
  await expect(rows).toHaveCount(callOutcomeNames.length)
  const boxes = await rows.evaluateAll(found => found.map(row => row.getBoundingClientRect().toJSON()))
  for (const { height, width, bottom } of boxes) {
    expect(height).toBeGreaterThanOrEqual(52)
    expect(width).toBeGreaterThan(280)
    expect(bottom).toBeLessThan(740)
  }
  await expectNoViolations(page)
  await rows.filter({ hasText: 'Left voicemail' }).click()
  await expect(page.getByRole('button', { name: 'Save and next' })).toBeInViewport()
  await page.getByRole('button', { name: 'Save and next' }).click()
  await expect(heading(page)).toHaveText('Otis Lovelace')
  expect(await desk.store.callLog(ids['Ida'] ?? '')).toMatchObject([{ outcome: 'voicemail', by: 'Cal Caller' }])
})

test('a started call and its draft note survive a reload, and every page asks what happened', async ({
  signIn,
  desk,
  ids,
}) => {
  const page = await signIn('Cal Caller', 'agent')
  await openPage(page, `/leads/${ids['Ida']}`)
  await page.getByRole('button', { name: /^Call \(808\)/ }).click()
  await expect(page.getByRole('button', { name: 'I didn’t call' })).toBeVisible()
  await page.getByRole('radio', { name: 'Call back…' }).check()
  await page.getByRole('radio', { name: 'Tomorrow morning' }).check()
  await page.getByLabel('Note (optional)').fill('Wants a call tomorrow.')
  await page.reload()
  await expect(page.getByLabel('Note (optional)')).toHaveValue('Wants a call tomorrow.')
  await expect(page.getByRole('radio', { name: 'Call back…' })).toBeChecked()
  await expect(page.getByRole('radio', { name: 'Tomorrow morning' })).toBeChecked()
  for (const path of ['/calls', '/leads', '/health', '/you']) {
    await openPage(page, path)
    await expect(page.getByText(/You called Ida Lovelace at .*M office time\. What happened\?/)).toBeVisible()
  }
  // A second one doesn't take more of the screen.
  await openPage(page, `/leads/${ids['Otis']}`)
  await page.getByRole('button', { name: /^Call \(312\)/ }).click()
  await expect(page.getByText(/^You called at \d/)).toBeVisible()
  await openPage(page, '/calls')
  await expect(page.getByText(/You called Ida/)).toBeHidden()
  await page.getByText('2 calls need an outcome').click()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('listitem').filter({ hasText: 'You called Ida' }).getByRole('link').click()
  await expect(page.getByRole('radio', { name: 'Talked: moving forward' })).toBeInViewport()
  await page.keyboard.press('6')
  await page.getByRole('button', { name: 'Save and stop' }).click()
  await expect(heading(page)).toHaveText('Calls')
  await expect(page.getByText(/You called Ida/)).toHaveCount(0)
  expect((await desk.store.callLog(ids['Ida'] ?? ''))[0]).toMatchObject({ outcome: 'wrong number' })
  // The note comes back above one that's being typed about another call.
  await openPage(page, `/leads/${ids['Ida']}`)
  await page.getByRole('button', { name: 'They called us' }).click()
  await page.getByLabel('Note (optional)').fill('Asked about fees.')
  await openPage(page, '/calls')
  await page.getByRole('button', { name: 'Undo this outcome' }).click()
  await expect(page.getByLabel('Note (optional)')).toHaveValue('Wants a call tomorrow.\nAsked about fees.')
})

test('a colleague sees who has the call, can take over, and neither is offered the other’s', async ({
  signIn,
  ids,
}) => {
  const [cal, ana] = [await signIn('Cal Caller', 'agent'), await signIn('Ana Ruiz', 'agent')]
  for (const page of [cal, ana]) {
    await openPage(page, '/calls')
    await page.getByRole('button', { name: 'Call next' }).click()
  }
  await expect(heading(cal)).toHaveText('Ida Lovelace')
  await expect(heading(ana)).toHaveText('Otis Lovelace')
  await openPage(ana, `/leads/${ids['Ida']}`)
  await expect(ana.getByText(/^Cal Caller has had this call open since \d/)).toBeVisible()
  await expect(ana.getByRole('button', { name: /^Call \(808\)/ })).toHaveCount(0)
  await ana.getByRole('button', { name: 'Take over' }).click()
  await expect(ana.getByRole('heading', { name: 'What happened?' })).toBeVisible()
  await expect(cal.getByText(/^Ana Ruiz has had this call open since \d/)).toBeVisible()
  await expect(cal.getByRole('heading', { name: 'What happened?' })).toHaveCount(0)
})

test('outside calling hours, the number isn’t offered, the list says why, and an editor can override with a reason', async ({
  signIn,
  desk,
  ids,
  clock,
  view,
}) => {
  clock.at += 7 * 3_600_000
  const page = await signIn('Cal Caller', 'agent')
  await openPage(page, `/leads/${ids['Wanda']}`)
  await expect(page.getByText(/^Too late in New York: calls end at 8:00 PM/)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Call/ })).toHaveCount(0)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('button', { name: 'Log a call' }).click()
  await page.getByRole('button', { name: 'What happened?' }).click()
  await expect(page.getByRole('radio', { name: 'No answer' })).toBeInViewport()
  await page.getByRole('button', { name: 'Skip' }).click()
  await expect(heading(page)).toHaveText('Ida Lovelace')
  await openPage(page, '/calls')
  await expect(page.getByText(/outside calling hours/).first()).toBeVisible()
  await openPage(view, `/leads/${ids['Wanda']}`)
  await view.getByRole('button', { name: 'Call anyway…' }).click()
  await view.getByRole('dialog').getByLabel('Reason').fill('They asked for 11 PM.')
  await view.getByRole('dialog').getByRole('button', { name: 'Call', exact: true }).click()
  await expect(view.getByRole('button', { name: 'I didn’t call' })).toBeVisible()
  await view.keyboard.press('1')
  await view.getByRole('button', { name: 'Save and stop' }).click()
  await expect(heading(view)).toHaveText('Calls')
  expect((await desk.store.callLog(ids['Wanda'] ?? ''))[0]).toMatchObject({
    overrideReason: 'They asked for 11 PM.',
  })
})

test('a callback is for the time that was promised, and only if the agent sees it chosen; agents can change where someone is and who speaks what', async ({
  signIn,
  ids,
  clock,
}) => {
  const page = await signIn('Cal Caller', 'agent')
  await openPage(page, `/leads/${ids['Wanda']}`)
  await page.getByRole('button', { name: 'Log a call' }).click()
  await expect(page.getByRole('heading', { name: 'What happened?' })).toBeVisible()
  await page.keyboard.press('3')
  await page.keyboard.press('=')
  const inOneHour = page.getByRole('radio', { name: 'In 1 hour' })
  await expect(inOneHour).toBeChecked()
  const promised =
    (await page
      .getByText(/^\w+, \w+ \d+, \d+:\d+ PM$/)
      .first()
      .textContent()) ?? ''
  clock.at += 8 * 60_000
  await page.getByLabel('Speaks', { exact: true }).selectOption('Spanish')
  await expect(page.getByText('4:08 PM, New York, their time')).toBeVisible()
  await expect(page.getByText(promised)).toBeVisible()

  const mustChoose = async () => {
    await expect(inOneHour).not.toBeChecked()
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('Choose when to call back.')).toBeVisible()
    await page.keyboard.press('=')
  }
  await page.getByRole('radio', { name: 'No answer' }).check()
  await page.getByRole('radio', { name: 'Call back…' }).check()
  await mustChoose()
  await page.getByRole('button', { name: 'Change where they are' }).click()
  await page.getByLabel('State').selectOption({ label: 'Hawaii' })
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/ their time \(.* office time\)/).first()).toBeVisible()
  await mustChoose()
  await expect(page.getByText(/M, Hawaii/)).toBeVisible()
  await expect(page.getByText('set by Cal Caller')).toBeVisible()

  await openPage(page, `/leads/${ids['Otis']}`)
  await page.getByLabel('Speaks', { exact: true }).selectOption('Spanish')
  await openPage(page, '/calls')
  await expect(page.getByRole('row').filter({ hasText: 'Otis' })).toContainText('Spanish')
  await openPage(page, `/leads/${ids['Otis']}`)
  await page.getByRole('button', { name: 'Log a call' }).click()
  await page.getByText('If they ask').click()
  await expect(page.getByText(/^¿Por qué me llama\?Why are you calling me\?$/)).toBeVisible()
  await page.getByRole('button', { name: 'Leave for someone who speaks Spanish' }).click()
  await expect(notices(page)).toContainText('You left Otis Lovelace for someone who speaks Spanish.')
  // During a call, nobody is asked to speak a language that they don't.
  await openPage(page, `/leads/${ids['Vera']}`)
  await page.getByRole('button', { name: /^Call \(305\)/ }).click()
  await page.getByRole('radio', { name: /^Speaks another language For someone who speaks Spanish/ }).check()
  await page.getByRole('button', { name: 'Save and stop' }).click()
  await expect(page.getByText(/^Vera Lovelace: Speaks another language\. Next call: /).first()).toBeVisible()
  await page.getByText(/^Can’t be called right now/).press('Enter')
  await expect(page.getByRole('row').filter({ hasText: 'Vera' })).toContainText('Spanish')
  await openPage(page, '/you')
  await page.getByRole('checkbox', { name: 'Spanish' }).check()
  await page.reload()
  await expect(page.getByRole('checkbox', { name: 'Spanish' })).toBeChecked()
})

test('if several people gave a number, the agent ticks for whom an outcome is', async ({ signIn, desk, ids }) => {
  // The same number as Otis.
  const jane = await capture(desk, 'Jane', { contact: { phone: '(312) 555-0141' } })
  const page = await signIn('Cal Caller', 'agent')
  await openPage(page, `/leads/${jane}`)
  await page.getByRole('button', { name: 'Log a call' }).click()
  const people = page.getByRole('group', { name: 'Who was this call about?' })
  // Nobody was reached, so it's a try for both.
  await page.getByRole('radio', { name: 'No answer' }).check()
  await expect(people).toHaveCount(0)
  await page.getByRole('radio', { name: 'Talked: not interested' }).check()
  await expect(people.getByRole('checkbox', { checked: true })).toHaveCount(1)
  await expect(people.getByRole('checkbox', { name: 'Jane Lovelace' })).toBeChecked()
  await expect(people.getByRole('checkbox', { name: 'Otis Lovelace' })).not.toBeChecked()
  await page.getByRole('button', { name: 'Save and stop' }).click()
  await expect(notices(page)).toContainText('Jane Lovelace: Not interested.')
  await openPage(page, `/leads/${ids['Otis']}`)
  await expect(page.getByText(/^You saved “Not interested” about Jane Lovelace at /)).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'About Jane Lovelace' })).toContainText('Not interested')
  await openPage(page, '/leads')
  const statusOf = (name: string) => page.getByRole('row').filter({ hasText: name })
  await expect(statusOf('Jane Lovelace')).toContainText('Not interested')
  await expect(statusOf('Otis Lovelace')).toContainText('New')
  await desk.store.clientFromCrm({ webhookId: 'crm-1', leadId: ids['Otis'] ?? '', on: '2030-01-31' })
  await openPage(page, '/leads')
  await expect(statusOf('Otis Lovelace')).toContainText('Client')
})

test('a background tab counts new leads in its title, notifies without personal data, and keeps the call open', async ({
  signIn,
  desk,
  ids,
  clock,
}) => {
  const page = await signIn('Cal Caller', 'agent')
  await page.clock.install({ time: desk.now() })
  await page.addInitScript(() => {
    const sent: string[] = []
    const { start } = OscillatorNode.prototype
    OscillatorNode.prototype.start = function (...when) {
      sent.push('tone')
      start.apply(this, when)
    }
    Object.assign(window, {
      sent,
      Notification: class {
        static permission = 'granted'
        static requestPermission(): Promise<string> {
          return Promise.resolve('granted')
        }
        constructor(title: string, { body }: { body: string }) {
          sent.push(`${title}: ${body}`)
        }
      },
    })
  })
  await openPage(page, '/calls')
  await page.getByRole('checkbox', { name: 'Notify me about new leads' }).check()
  const heard = () => page.evaluate(() => (window as never as { sent: string[] }).sent.splice(0))
  const sound = page.getByRole('checkbox', { name: 'Play a sound for new leads' })
  await expect(sound).not.toBeChecked()
  await sound.check()
  expect(await heard()).toEqual(['tone', 'tone'])
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { get: () => true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await expect(page).toHaveTitle('(4) Calls · Desk')
  await capture(desk, 'Zebulon', { contact: { phone: '(415) 555-0162' } })
  clock.at += 1000
  await page.clock.runFor(70_000)
  await expect(page).toHaveTitle('(5) Calls · Desk')
  expect(await heard()).toEqual(['New lead to call: 5 new leads are waiting.', 'tone', 'tone'])
  await page.getByRole('link', { name: 'Ida Lovelace' }).click()
  await page.getByRole('button', { name: 'Log a call' }).click()
  await expect(page.getByRole('heading', { name: 'What happened?' })).toBeVisible()
  const renewed = page.waitForRequest(request => request.url().endsWith(`/api/calls/${ids['Ida']}/renew`))
  await page.clock.runFor(90_000)
  await renewed
})

test('the pages for calls are accessible, and fit with 200% text; a demo that ignores calling hours says so', async ({
  signIn,
  ids,
}) => {
  const page = await signIn('Cal Caller', 'agent')
  await page.route('**/api/session', async route => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), ignoresCallingHours: true } })
  })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  for (const path of ['/calls', '/calls?only=callbacks', `/leads/${ids['Ida']}`, '/today', '/you']) {
    await openPage(page, path)
    const isAboutHours = path === '/calls' || path.startsWith('/leads')
    await expect(page.getByText(/^This demo ignores calling hours/)).toHaveCount(isAboutHours ? 1 : 0)
    if (path.startsWith('/leads')) {
      await page.getByRole('button', { name: 'Log a call' }).click()
      await page.getByRole('radio', { name: 'Call back…' }).check()
      await page.getByRole('radio', { name: 'Pick a time' }).check()
      await expect(page.getByLabel('Time in Hawaii')).toBeVisible()
    }
    await expectNoViolations(page)
    await page.setViewportSize({ width: 360, height: 740 })
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect([path, tooWide]).toEqual([path, 0])
    await page.setViewportSize({ width: 1280, height: 800 })
  }
})

test('a callback outside calling hours is refused, with the allowed ones named', async ({ signIn, desk, ids }) => {
  const page = await signIn('Cal Caller', 'agent')
  await openPage(page, `/leads/${ids['Ida']}`)
  await page.getByRole('button', { name: 'Log a call' }).click()
  await page.getByRole('radio', { name: 'Call back…' }).check()
  await page.getByRole('radio', { name: 'Pick a time' }).check()
  // Nobody chose a time yet.
  await page.getByRole('button', { name: 'Save and stop' }).click()
  await expect(page.getByText('Choose when to call back.')).toBeVisible()
  const { date } = localTime('Hawaii', await desk.store.storeTime())
  await page.getByLabel('Date').fill(addDays(date, 1))
  await page.getByLabel('Time in Hawaii').fill('23:00')
  // Said while picking, before anything is saved. The office is already a day ahead.
  const tomorrow = timesIn('UTC').day(Date.parse(addDays(date, 2)))
  await expect(page.getByText(new RegExp(`11:00 PM their time \\(${tomorrow}, .* office time\\)`))).toBeVisible()
  await expect(
    page.getByText(/^No calls at that time. They’re allowed Monday to Saturday, .* Next: .*9:00 AM/),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Save and stop' }).click()
  await expect(page.getByRole('alert')).toContainText('Calls are allowed Monday to Saturday, 9:00 AM to 8:00 PM')
  expect(await desk.store.callLog(ids['Ida'] ?? '')).toEqual([])
})
