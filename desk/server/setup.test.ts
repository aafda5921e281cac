import { expect, test } from 'vitest'
import { readConfig } from '../../server/settings/config.ts'
import '../../tests/support/built-site.ts'
import { landing } from '../../tests/support/content.ts'
import { bodyOf, deskPerTest } from '../../tests/support/desk-harness.ts'
import type { Setup } from '../browser/client.ts'
import { launchPoints } from './setup.ts'

const harness = deskPerTest()

test('editors see the settings', async () => {
  const { settings } = await bodyOf<Setup>(harness.maria.fetch('/api/setup'))
  expect(settings).toContainEqual({ name: 'TIME_ZONE', value: 'America/New_York' })
})

test('editors see what the site’s texts are called', async () => {
  expect(await bodyOf(harness.maria.fetch('/api/setup/texts'))).toContainEqual({
    file: 'en.toml',
    section: 'landing.howItWorks',
    name: 'cta',
    original: landing.howItWorks?.cta,
    before: null,
    own: null,
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
