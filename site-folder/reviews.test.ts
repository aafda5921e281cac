/** Which text of a consent or legal page is live, after edits and reviews. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { ReviewedText } from '../domain/text/text-blocks.ts'
import { newFolder } from '../tests/support/after-test.ts'
import { formatFinding } from './findings.ts'
import { makeFolder } from './new-folder.ts'
import { readSite } from './read-site.ts'
import { recordReview } from './reviews.ts'
import type { SiteData } from './types.ts'

let folder = ''
/** Of the site that was published last. */
let kept: readonly ReviewedText[] = []
beforeEach(() => {
  folder = newFolder()
  makeFolder(folder, '0.9.0')
  edit('organization.toml', text => `${text}legalName = "Acme LLC"\n`)
  kept = []
})

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(join(folder, file), change(readFileSync(join(folder, file), 'utf8')))
}

function publish(): SiteData {
  const { data, findings } = readSite(folder, kept)
  if (data === null) throw new Error(findings.map(formatFinding).join('\n'))
  kept = data.reviewed
  return data
}

const read = () => readSite(folder).data as SiteData
const review = (...what: string[]) => recordReview(folder, read(), what, 'Jane Roe, Esq.', '2026-10-01')
const consentIn = ({ words }: SiteData) => words.en.consent.text

test('an edited consent isn’t live until it’s reviewed again; everything else is, and a new phone number in it, too', () => {
  edit('consent.en.md', text => `${text}\nRing {phone}.\n`)
  review('consent.en')
  expect(consentIn(publish())).toContain('Ring 833-243-2965.')
  edit('consent.en.md', text => text.replace('Ring', 'Always ring'))
  edit('consent.es.md', text => `${text}\nLlame al {phone}.\n`)
  edit('organization.toml', text => text.replace('833-243-2965', '800-555-0142'))
  const edited = publish()
  expect(consentIn(edited)).toContain('. Ring 800-555-0142.')
  expect(edited.words.es.consent.text).toContain('Llame al 800-555-0142.')
  expect(edited.reviewable).toMatchObject({ 'consent.en': { isLive: false }, 'consent.es': { isLive: true } })
  // The next site knows it from this one, also if someone deletes the review.
  edit('reviews.toml', () => '')
  expect(consentIn(publish())).toContain('. Ring 800-555-0142.')
  review('consent.en')
  expect(consentIn(publish())).toContain('Always ring 800-555-0142.')
  expect(consentIn(read())).toContain('Always ring')
})

test('a consent says the same in both languages only if both versions were reviewed together', () => {
  review('consent.en')
  review('consent.es')
  expect(publish().reviewedTogether).toEqual([])
  review('consent.en', 'consent.es')
  expect(publish().reviewedTogether).toEqual(['consent.es'])
  // Only the edited one waits, so what is live was reviewed together.
  edit('consent.en.md', text => `${text}\nMore.\n`)
  const { held, reviewable, reviewedTogether } = publish()
  expect(held).toMatchObject([{ name: 'consent.en', version: reviewable['consent.en']?.version }])
  expect(held[0]?.edit).toEqual([...(held[0]?.live ?? []), 'More.'])
  expect([reviewable['consent.en']?.isLive, reviewable['consent.es']?.isLive, reviewedTogether]).toEqual([
    false,
    true,
    ['consent.es'],
  ])
  review('consent.en')
  expect(publish().reviewedTogether).toEqual([])
})

test('a review of Spanish is of all its texts, but not of the hours', () => {
  const before = read().spanishVersion
  edit('organization.toml', text => `${text}hours.en = "9 to 5"\nhours.es = "De 9 a 5"\n`)
  edit('consent.en.md', text => `${text}\nMore.\n`)
  expect(read().spanishVersion).toBe(before)
  review('es')
  expect(read().reviews.languages.es?.version).toBe(before)
  edit('es.toml', text => `${text}\n[header]\ncallLabel = "Llame ya"\n`)
  expect(read().spanishVersion).not.toBe(before)
  edit('es.toml', text => text.replace(/\n\[header\]\n.*\n/, ''))
  edit('consent.spoken.es.md', text => `${text}\n¿Sí?\n`)
  expect(read().spanishVersion).not.toBe(before)
})

test('a consent that was reviewed for another name names that one', () => {
  review('consent.en')
  publish()
  edit('organization.toml', text => text.replace('Acme LLC', 'Bolt LLC'))
  const { en, es } = publish().words
  expect([en.consent.seller, es.consent.seller]).toEqual(['Acme LLC', 'Bolt LLC'])
  expect(en.consent.text).toContain('I give Acme LLC my')
})

test('a reviewed page that is a draft again stays, and a review of a draft doesn’t take it down', () => {
  edit('legal/help.en.md', () => '# Help\n\nWe help.\n')
  review('legal/help.en')
  publish()
  edit('legal/help.en.md', text => `Draft: on hold\n\n${text}[more]`)
  expect(() => review('legal/help.en')).toThrow('legal/help.en.md is a draft.')
  const { version } = read().reviewable['legal/help.en'] ?? {}
  edit('reviews.toml', text => text.replace(/version = ".*"/, `version = "${version}"`))
  expect(publish().legalPages.en.help).toMatchObject({
    isDraft: false,
    blocks: [{ words: ['Help'] }, { words: ['We help.'] }],
  })
})

test('where the reviewed text isn’t known, nobody is shown the edit, and the form is off; line ends and spaces are no edit', () => {
  review('consent.en')
  edit('consent.en.md', text => `\uFEFF${text.replaceAll('\n', '\r\n')}\r\n`)
  publish()
  const reviewedBefore = kept
  kept = []
  edit('consent.en.md', text => text.replace('STOP', 'HALT'))
  const { formOff, unknownTexts, words } = publish()
  expect({ formOff, unknownTexts }).toEqual({ formOff: ['en'], unknownTexts: ['consent.en'] })
  expect(words.en.consent).toMatchObject({ notice: '', button: '', text: '', below: [] })
  const { findings } = readSite(folder)
  expect(findings.map(formatFinding)).toEqual([
    expect.stringMatching(
      /^consent\.en\.md: This text was edited after Jane Roe, Esq\. reviewed it on 2026-10-01, so visitors get the text from before\. When .*:\n\n\[texts\."consent\.en"\]\nby = "Who"\non = "YYYY-MM-DD"\nversion = "\w{12}"\n$/,
    ),
  ])
  // From the store, which also has later ones.
  kept = [...reviewedBefore, { ...(reviewedBefore[0] as ReviewedText), blocks: [] }]
  expect(publish()).toMatchObject({ formOff: [], unknownTexts: [] })
  expect(consentIn(publish())).toContain('replying STOP')
})

test('an edit in a language that is off turns nothing off', () => {
  review('consent.es')
  edit('consent.es.md', text => `${text}\nMás.\n`)
  expect(publish().formOff).toEqual(['es'])
  edit('organization.toml', text => `${text}languages = ["en"]\n`)
  expect(publish()).toMatchObject({ languages: ['en'], formOff: [] })
})

test.each([
  ['consnt.en', 'Did you mean consent.en?'],
  ['callinghours', 'Did you mean callingHours?'],
  ['poster', 'These can be reviewed: consent.en, '],
])('%s can’t be reviewed', (what, told) => {
  expect(() => review(what)).toThrow(`There is no text, language, or legal rule ${what} to review. ${told}`)
})
