import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { languages, pathIn } from '../../content/languages.ts'
import { questions } from '../../content/questions.ts'
import type { DeclineCopy } from '../../content/types.ts'
import { words } from '../../content/words.ts'
import { BUILT } from '../../tests/support/built-site.ts'
import script from '../browser/inline/decline-reasons.ts?inline-script'
import { fileAt } from './page.ts'

const [draftKey, reasonsKey] = ['questionnaire-draft', 'decline-reasons']
const html = (language: 'en' | 'es') => readFileSync(join(BUILT, fileAt(pathIn(language, '/decline'))), 'utf8')
const titles = (language: 'en' | 'es', ids: readonly string[]) =>
  Object.entries<{ readonly title: string } | null>(words[language].decline.reasons)
    .filter(([id]) => ids.includes(id))
    .map(([, reason]) => reason?.title)

/** Opens /decline in a tab with this session storage. Returns the blocks by state, and what is stored afterward. */
function open(stored: Readonly<Record<string, object>>, language: 'en' | 'es' = 'en', version = 'v1') {
  const blocks = [...html(language).matchAll(/<details data-reason="([^"]+)".*?<summary[^>]*>([^<]+)/g)].map(
    ([, reason = '', title = '']) => ({ dataset: { reason }, title, open: false, hidden: false }),
  )
  const storage = new Map(Object.entries(stored).map(([key, value]) => [key, JSON.stringify(value)]))
  const sessionStorage = {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  }
  const document = { querySelectorAll: () => blocks, documentElement: { dataset: { draft: version } } }
  new Function('document', 'sessionStorage', script)(document, sessionStorage)
  const titlesOf = (chosen: typeof blocks) => chosen.map(({ title }) => title.replaceAll('&#x27;', "'"))
  return {
    shown: titlesOf(blocks.filter(({ hidden }) => !hidden)),
    open: titlesOf(blocks.filter(block => block.open)),
    stored: Object.fromEntries([...storage].map(([key, value]) => [key, JSON.parse(value)])),
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
    const tab = open({ [draftKey]: declined(id) }, language)
    expect(tab.open).toEqual(titles(language, [id]))
    expect(tab.shown).toEqual(tab.open)
  },
)

test('all reasons that apply are open, in the order of the questions', () => {
  expect(open({ [draftKey]: declined('ageInBounds', 'outOfWorkForAYear') }).open).toEqual(
    titles('en', ['outOfWorkForAYear', 'ageInBounds']),
  )
})

test('the draft ends, and only the reasons stay: for a reload or the page in another language', () => {
  const { stored } = open({ [draftKey]: declined('hasAttorney') })
  expect(Object.keys(stored)).toEqual([reasonsKey])
  expect(stored[reasonsKey]).toMatchObject({ reasons: ['4 true'] })
  expect(JSON.stringify(stored)).not.toContain('Ana')
  expect(open(stored, 'es').open).toEqual(titles('es', ['hasAttorney']))
})

const inTheMiddle = { ...declined(), stage: 'questions', answers: [false] }
test.each<[string, Readonly<Record<string, object>>, string[]]>([
  ['opened directly', {}, []],
  ['in the middle of the questions', { [draftKey]: inTheMiddle }, [draftKey]],
  ['after 30 minutes', { [reasonsKey]: { version: 'v1', expires: Date.now() - 1, reasons: ['0 false'] } }, []],
  ['with other questions', { [draftKey]: { ...declined('hasAttorney'), version: 'v0' } }, []],
])('%s, all blocks are folded', (_, before, kept) => {
  const tab = open(before)
  expect([tab.shown.length, tab.open]).toEqual([questions.length, []])
  expect(Object.keys(tab.stored)).toEqual(kept)
})
