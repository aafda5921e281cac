/** What an upgrade does to a folder: renamed, removed, and new texts, and other originals. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../tests/support/after-test.ts'
import { changedOriginals, changesBetween } from './changed-originals.ts'
import { carryOver, type Earlier } from './earlier-originals.ts'
import { formatFinding } from './findings.ts'
import { type Leaf, leavesOf, readToml } from './toml.ts'

const seen = new Map<string, Leaf | string[]>([
  ['en.toml landing.hero.lead', 'Out of work?'],
  ['en.toml landing.hero.headline', 'Up to $1'],
  ['en.toml landing.faq.cost.question', 'What does it cost?'],
  ['en.toml landing.faq.cost.answer', 'Nothing.'],
  ['en.toml landing.faq.denials.question', 'Why denied?'],
  ['en.toml landing.faq.denials.answer', 'Records.'],
  ['en.toml stop.help', 'Call us.'],
  ['consent.en.md', 'aaaa'],
])
const renamed = { 'landing.hero.lead': 'landing.hero.intro', 'landing.faq.cost': 'landing.faq.price' }
const earlier: Earlier = { versions: new Map([['1.0.0', seen]]), renamed }

/** The next version: lead and cost have other names, denials and help are gone, and letter is new. */
const ORIGINAL = `
[landing.hero]
intro = "Out of work?"
headline = "Up to $2"
[landing.faq.price]
question = "What does it cost?"
answer = "Nothing."
[stop]
title = "Stop"
[letter]
subject = "Your request"
greeting = "Hello"
`
const tableOf = (text: string) => readToml({ file: 'en.toml', text }).table

function carried(text: string) {
  const own = tableOf(text)
  const findings = carryOver('en.toml', own, tableOf(ORIGINAL), earlier)
  return { own: Object.fromEntries(leavesOf(own)), told: findings.map(formatFinding) }
}

test('a renamed text is used, on campaigns’ pages too, and said', () => {
  const { own, told } = carried('[landing.hero]\nlead = "Mine"\n[pages.veterans.hero]\nlead = "Veteran?"')
  expect(own).toEqual({ 'landing.hero.intro': 'Mine', 'pages.veterans.hero.intro': 'Veteran?' })
  expect(told).toEqual([
    'en.toml, line 2: landing.hero.lead is called landing.hero.intro now. Change its name here, too.',
    'en.toml, line 4: pages.veterans.hero.lead is called pages.veterans.hero.intro now. Change its name here, too.',
  ])
})

test('an item that the original doesn’t have anymore stays as it was, if the folder changes or lists it', () => {
  const changed = carried('[landing.faq.denials]\nanswer = "Mine"\n[landing.faq.price]\nanswer = "No fee"')
  expect(changed.own).toEqual({
    'landing.faq.denials.question': 'Why denied?',
    'landing.faq.denials.answer': 'Mine',
    'landing.faq.price.answer': 'No fee',
  })
  expect(carried('[landing.faq]\norder = ["denials", "cost"]').own).toEqual({
    'landing.faq.order': ['denials', 'price'],
    'landing.faq.denials.question': 'Why denied?',
    'landing.faq.denials.answer': 'Records.',
  })
})

test('each original that is another one, is gone, or is new is named once', () => {
  const now = new Map([...leavesOf(tableOf(ORIGINAL))].map(([name, value]) => [`en.toml ${name}`, value]))
  expect(changesBetween(seen, now.set('consent.en.md', 'bbbb'), renamed)).toEqual([
    { file: 'en.toml', name: 'landing.hero.headline', before: 'Up to $1', now: 'Up to $2' },
    { file: 'en.toml', name: 'landing.faq.denials.question', before: 'Why denied?', now: null },
    { file: 'en.toml', name: 'landing.faq.denials.answer', before: 'Records.', now: null },
    { file: 'en.toml', name: 'stop.help', before: 'Call us.', now: null },
    { file: 'consent.en.md', name: '', before: 'aaaa', now: 'bbbb' },
    { file: 'en.toml', name: 'stop.title', before: null, now: 'Stop' },
    { file: 'en.toml', name: 'letter', before: null, now: null },
  ])
})

test('a folder with the name of a file, a link, and a section in a list aren’t read', () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'organization.toml'), 'credentials = [{ en = "x" }]')
  mkdirSync(join(folder, 'en.toml'))
  symlinkSync(join(import.meta.dirname, '../content/es.toml'), join(folder, 'es.toml'))
  expect(changedOriginals(folder).own).toEqual(new Map([['organization.toml credentials', []]]))
})
