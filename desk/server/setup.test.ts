import { expect, test } from 'vitest'
import { addDays } from '../../domain/dates.ts'
import { readConfig } from '../../server/settings/config.ts'
import '../../tests/support/built-site.ts'
import { landing } from '../../tests/support/content.ts'
import { createTestDesk } from '../../tests/support/desk.ts'
import { bodyOf, deskPerTest } from '../../tests/support/desk-harness.ts'
import { contactOf } from '../../tests/support/lead-store.ts'
import { siteCopy } from '../../tests/support/site-copy.ts'
import type { Setup } from '../browser/client.ts'
import { launchPoints } from './setup.ts'

const harness = deskPerTest()

test('editors see the settings', async () => {
  const { settings } = await bodyOf<Setup>(harness.maria.fetch('/api/setup'))
  expect(settings).toContainEqual({ name: 'TIME_ZONE', value: 'America/New_York' })
})

test('days off are listed with the callbacks promised for them, and hours that contradict the site are named', async () => {
  const { languages, ...copy } = siteCopy
  const { letter } = languages.en
  const callback = { hours: 'Mon-Sat 9:00-20:00', timeZone: 'Eastern', text: '' } as const
  const desk = createTestDesk(harness.store, {
    env: { CALLING_HOURS: 'Mon-Fri 9:00-18:00' },
    now: () => Date.UTC(2030, 11, 30, 18),
    copy: {
      ...copy,
      closed: ['2031-01-02', '2020-01-02', '2030-12-30'],
      languages: { ...languages, en: { ...languages.en, letter: { ...letter, callback } } },
    },
  })
  const maria = await desk.signedIn('Maria')
  const { closedDays, hoursConflict } = await bodyOf<Setup>(maria.fetch('/api/setup'))
  const promisedFor = (day: string) => ({ count: 0, filter: { callbackFrom: day, callbackTo: day } })
  expect(closedDays).toEqual([
    { day: '2030-12-30', callbacks: promisedFor('2030-12-30') },
    { day: '2031-01-02', callbacks: promisedFor('2031-01-02') },
  ])
  expect(hoursConflict).toBe(
    'Your site promises callbacks Monday to Saturday, 9:00 AM to 8:00 PM (callbacks in organization.toml), but calling hours are Monday to Friday, 9:00 AM to 6:00 PM (the CALLING_HOURS setting). Change one of them.',
  )
})

test('on days off, no callbacks are offered', async () => {
  const id = await harness.capture('Ada', { contact: { ...contactOf('Ada'), phone: '(808) 555-0101' } })
  const today = new Date().toISOString()
  const closed = Array.from({ length: 40 }, (_, days) => addDays(today, days - 2))
  const openings = async (copy: typeof siteCopy) => {
    const agent = await createTestDesk(harness.store, { copy }).signedIn(`Bob ${copy.closed.length}`, 'agent')
    return (await bodyOf<{ openings: readonly object[] }>(agent.fetch(`/api/calls/${id}`))).openings.length
  }
  expect(await openings(siteCopy)).toBeGreaterThan(0)
  expect(await openings({ ...siteCopy, closed })).toBe(0)
})

test('editors see what the site’s texts are called', async () => {
  expect(await bodyOf(harness.maria.fetch('/api/setup/texts'))).toContainEqual({
    file: 'en.toml',
    section: 'landing.howItWorks',
    name: 'cta',
    original: landing.howItWorks?.cta,
    before: null,
    own: null,
    shown: landing.howItWorks?.cta,
  })
})

test('the launch checklist describes findings in sentences and shows only the code of unknown ones from an older version', () => {
  const found = [
    { code: 'sample_testimonial', subject: 'Ada L.' },
    { code: 'placeholder_text', subject: '/privacy', detail: '[address]' },
    { code: 'legal_draft', subject: 'Terms of Use' },
    { code: 'placeholder_text', subject: '/old' },
    { code: 'no_longer_known', subject: '/terms' },
    { code: 'figure_expired', subject: 'benefit', detail: '$4,018', from: '2030-01-15' },
  ]
  const notes = { points: found as never, justified: ['legal_draft:Terms of Use'] }
  const points = launchPoints(notes, readConfig({ TRUSTEDFORM: 'on' }), Date.UTC(2030, 0, 1))
  const words = points.open.map(point => point.words)
  expect(words).toEqual(
    expect.arrayContaining([
      'Sample testimonials are shown: Ada L. Fake testimonials are illegal (16 CFR 465.2). Replace them with real ones, or remove them.',
      'Placeholder text: [address].',
      'No one is notified when something breaks: leads refused, backups failing, deliveries stuck.',
      'placeholder_text: /old',
      'no_longer_known: /terms',
    ]),
  )
  expect(words.filter(sentence => sentence.includes('undefined'))).toEqual([])
  expect(points.open.filter(({ code }) => code === 'legal_draft' || code === 'trusted_form_off')).toEqual([])
  const valid = 'benefit ($4,018) is valid through Jan 14, 2030.'
  expect(points.soon).toEqual([{ code: 'figure_expired', group: 'marketer', words: valid }])
})
