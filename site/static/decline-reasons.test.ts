import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { pathInLanguage } from '../../domain/languages.ts'
import { languages, questions, words } from '../../site-folder/site.ts'
import type { DeclineCopy } from '../../site-folder/types.ts'
import { BUILT } from '../../tests/support/built-site.ts'
import declineReasons from '../browser/inline/decline-reasons.ts?inline-script'
import tab from '../browser/inline/tab.ts?inline-script'
import { fileAt } from './page.ts'

const KEY = 'questionnaire-draft'
const html = (language: 'en' | 'es') => readFileSync(join(BUILT, fileAt(pathInLanguage(language, '/decline'))), 'utf8')
const titles = (language: 'en' | 'es', ids: readonly string[]) =>
  Object.entries(words[language].decline.reasons)
    .filter(([id]) => ids.includes(id))
    .map(([, reason]) => reason?.title)

/** Opens /decline in a tab that keeps this. Returns the blocks by state, and what is kept afterward. */
function open(before: object | null, language: 'en' | 'es' = 'en', version = 'v1') {
  const blocks = [...html(language).matchAll(/<details data-reason="([^"]+)".*?<summary[^>]*>([^<]+)/g)].map(
    ([, reason = '', title = '']) => ({ dataset: { reason }, title, open: false, hidden: false }),
  )
  const storage = new Map(before ? [[KEY, JSON.stringify(before)]] : [])
  const sessionStorage = {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  }
  const document = { querySelectorAll: () => blocks, documentElement: { dataset: { draft: version } } }
  const ignore = () => {}
  const page = { document, sessionStorage, addEventListener: ignore, setTimeout: ignore, clearTimeout: ignore }
  runInNewContext(tab + declineReasons, Object.assign(page, { window: page }))
  const titlesOf = (chosen: typeof blocks) => chosen.map(({ title }) => title.replaceAll('&#x27;', "'"))
  return {
    shown: titlesOf(blocks.filter(({ hidden }) => !hidden)),
    open: titlesOf(blocks.filter(block => block.open)),
    kept: JSON.parse(storage.get(KEY) ?? 'null'),
  }
}

/** The draft of someone who gave the other answer to these questions. */
const declined = (...ids: readonly string[]) => ({
  stage: 'loading',
  answers: questions.map(({ id, required }) => (required === 'yes') !== ids.includes(id)),
  contact: { firstName: 'Ana' },
  version: 'v1',
  expires: Date.now() + 60_000,
})

test.each(languages)('every question has a reason, with an official page, in %s', language => {
  const { reasons }: DeclineCopy = words[language].decline
  for (const { id } of questions) expect(reasons[id]?.link.href).toMatch(/^https:\/\/www\.ssa\.gov\//)
})

test.each(languages.flatMap(language => questions.map(({ id }) => [language, id] as const)))(
  'in %s, the other answer to %s opens only its block',
  (language, id) => {
    const tab = open(declined(id), language)
    expect(tab.open).toEqual(titles(language, [id]))
    expect(tab.shown).toEqual(tab.open)
  },
)

test('all reasons that apply are open, in the order of the questions', () => {
  expect(open(declined('ageInBounds', 'outOfWorkForAYear')).open).toEqual(
    titles('en', ['outOfWorkForAYear', 'ageInBounds']),
  )
})

test('the draft ends, and only the answers stay, no longer than it: for a reload or the page in another language', () => {
  const draft = declined('hasAttorney')
  const { kept } = open(draft)
  expect(kept).toEqual({ declined: draft.answers, version: 'v1', expires: draft.expires })
  expect(open(kept, 'es').open).toEqual(titles('es', ['hasAttorney']))
})

const inTheMiddle = { ...declined(), stage: 'questions', answers: [false] }
const reasons = { version: 'v1', declined: [false] }
test.each([
  ['opened directly', null, null],
  ['in the middle of the questions', inTheMiddle, inTheMiddle],
  ['after 30 minutes', { ...reasons, expires: Date.now() - 1 }, null],
  ['after the clock was set back', { ...reasons, expires: Date.now() + 3_600_000 }, null],
  ['with other questions', { ...declined('hasAttorney'), version: 'v0' }, null],
])('%s, all blocks are folded', (_, before, after) => {
  const { shown, open: opened, kept } = open(before)
  expect([shown.length, opened, kept]).toEqual([questions.length, [], after])
})
