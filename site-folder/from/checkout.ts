/** What a 0.7.0 checkout says, by the names that texts and facts have in a folder. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { knownLanguages, type Language } from '../../domain/languages.ts'
import type { Originals } from '../earlier-originals.ts'
import { figureInWords } from '../figures.ts'
import { nameItems, type Value } from './items.ts'

type Data = null | string | number | boolean | readonly Data[] | { readonly [name: string]: Data }
type Entries = { readonly [name: string]: Data }

interface Evaluated {
  readonly facts: Entries
  readonly wordings: Readonly<Record<Language, Readonly<Record<string, string>>>>
  readonly claims: Readonly<Record<Language, Readonly<Record<string, string | null>>>>
  readonly words: Readonly<Record<Language, Entries & { readonly consent: OldConsent }>>
}

interface OldConsent {
  readonly button: string
  readonly paragraphs: readonly string[]
  readonly privacyPolicy: { readonly text: string }
}

export interface Checkout {
  /** `en.toml landing.hero.headline` → its text. */
  readonly values: ReadonlyMap<string, Value>
  readonly consents: Readonly<Record<Language, OldConsent>>
  /** What the accessibility statement lists. */
  readonly tested: Readonly<Record<Language, readonly string[]>>
  readonly reviewed: { readonly by: string; readonly on: string } | null
}

/** `known`: the originals of 0.7.0. */
export function readCheckout(checkout: string, known: Originals): Checkout {
  const { facts, wordings, claims, words } = evaluate(checkout, 'no')
  const ifCallsComeFromPhone = evaluate(checkout, 'yes').words
  const values = new Map<string, Value>()
  itemNames.clear()
  addFacts(facts, values, known)
  for (const language of knownLanguages) {
    const file = `${language}.toml`
    const { consent: _, figures: __, claims: ___, ...said } = words[language]
    collect(file, '', said, values, known)
    const after = entriesIn(entriesIn(ifCallsComeFromPhone[language]['thankYou'])['number'])['after']
    if (after !== undefined) collect(file, 'thankYou.number.afterIfCallsComeFromIt', after, values, known)
    collect(file, 'claims', withoutNull(claims[language]), values, known)
    for (const [name, claim] of Object.entries(claims[language]))
      if (claim === null) values.set(`evidence.toml claims.${name}.show`, false)
    addWordings(file, wordings[language], values, known)
  }
  // Said once, in English.
  for (const [key, value] of values) {
    const inEnglish = key.replace(/^es/, 'en')
    const isRepeated = key.endsWith('.icon') && (values.get(inEnglish) ?? known.get(inEnglish)) === value
    if (isRepeated && key.startsWith('es')) values.delete(key)
  }
  addColors(checkout, values)
  const launchFacts = entriesIn(entriesIn(facts['launchFacts'])['es'])
  const tested = facts['tested'] as readonly { readonly shows: Record<Language, string> }[]
  return {
    values,
    consents: { en: words.en.consent, es: words.es.consent },
    tested: { en: tested.map(({ shows }) => shows.en), es: tested.map(({ shows }) => shows.es) },
    reviewed: (launchFacts['reviewed'] ?? null) as Checkout['reviewed'],
  }
}

/** In a process that can read content/ and nothing else: no other files, no network, no programs, none of our settings. */
function evaluate(checkout: string, callsComeFromPhone: 'yes' | 'no'): Evaluated {
  const script = join(import.meta.dirname, 'evaluate.ts')
  const allowed = [`--allow-fs-read=${join(checkout, 'content')}`, `--allow-fs-read=${script}`]
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--permission', ...allowed, script, checkout, callsComeFromPhone],
    { env: {}, timeout: 60_000, maxBuffer: 50_000_000, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`content/ of ${checkout} has an error. Mend it there first:\n\n${stderr}`)
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n') + 1))
}

const entriesIn = (data: Data | undefined): Entries =>
  typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as Entries) : {}

const withoutNull = (entries: Entries): Entries =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== null))

/** Where a text of 0.7.0 is now. Renamed later: originals.ts. */
const PLACES: Readonly<Record<string, string>> = {
  description: 'shared.description',
  submissionFailedHelp: 'shared.submissionFailedHelp',
  offlineHelp: 'shared.offlineHelp',
}

/** Comes from elsewhere: from the consent, the pictures, or organization.toml. */
const COMPUTED = /^contactForm\.submit$|\.picture$|\.illustration\.alt$|\.call\.hours$|\.number\.shown$/

/** What code put together then, and a name inserts now. */
const COMPOSED: Readonly<Record<string, readonly (readonly [old: string, now: string])[]>> = {
  'en.toml': [
    [' during our hours ({hours})', ' {duringHours}'],
    [
      'Yes. What you tell us is {confidential}, and your health information is {hipaaProtected}. ',
      '{confidentiality} ',
    ],
  ],
  'es.toml': [
    [' en nuestro horario ({hours})', ' {duringHours}'],
    ['las {byTime}', '{byTime}'],
    [
      'Sí. Lo que nos cuenta es {confidential}, y su información de salud está {hipaaProtected}. ',
      '{confidentiality} ',
    ],
  ],
}

interface Link {
  readonly text: string
  readonly href: string
}

const isLink = (data: Data): data is Entries & Link =>
  typeof data === 'object' && data !== null && Object.keys(data).sort().join() === 'href,text'

const isLinkedText = (data: readonly Data[]) =>
  data.some(isLink) && data.every(each => typeof each === 'string' || isLink(each))

function collect(file: string, path: string, data: Data, values: Map<string, Value>, known: Originals): void {
  if (COMPUTED.test(path)) return
  const add = (value: Value) => values.set(`${file} ${PLACES[path] ?? path}`, value)
  if (typeof data === 'string') {
    const composed = COMPOSED[file] ?? []
    add(composed.reduce((text, [old, now]) => text.replaceAll(old, now), data))
  } else if (typeof data !== 'object' || data === null) add(data)
  else if (isLink(data)) collect(file, path, `[${data.text}](${data.href})`, values, known)
  else if (!Array.isArray(data)) {
    for (const [name, inside] of Object.entries(data))
      collect(file, path === '' ? name : `${path}.${name}`, inside, values, known)
  } else if (isLinkedText(data)) {
    const text = data.map(each => (isLink(each) ? `[${each.text}](${each.href})` : each)).join('')
    collect(file, path, text, values, known)
  } else collectItems(file, path, data, values, known)
}

/** English comes first. */
const itemNames = new Map<string, readonly (string | undefined)[]>()

function collectItems(
  file: string,
  path: string,
  items: readonly Data[],
  values: Map<string, Value>,
  known: Originals,
): void {
  const hasParts = items.some(item => typeof item === 'object' && item !== null && !Array.isArray(item))
  const section = hasParts ? path.replace(/\.items$/, '') : path
  const flat = items.map(item => {
    if (item === null) return null
    const inside = new Map<string, Value>()
    collect(file, '', item, inside, known)
    return new Map([...inside].map(([key, value]) => [key.slice(file.length + 1), value]))
  })
  const { names, order } = nameItems(flat, itemsAt(file, section, known), itemNames.get(section))
  if (file === 'en.toml') itemNames.set(section, names)
  for (const [index, item] of flat.entries()) {
    const name = names[index]
    if (name === undefined) continue
    if (item === null) values.set(`${file} ${section}.${name}.show`, false)
    for (const [part, value] of item ?? [])
      values.set(`${file} ${section}.${name}${part === '' ? '' : `.${part}`}`, value)
  }
  if (order !== null) values.set(`${file} ${section}.order`, order)
}

/** The original items of a list, by name. A landing page for a campaign has the landing page's. */
function itemsAt(file: string, section: string, known: Originals): ReadonlyMap<string, ReadonlyMap<string, Value>> {
  const start = `${file} ${section.replace(/^pages\.[^.]+/, 'landing')}.`
  const items = new Map<string, Map<string, Value>>()
  for (const [key, value] of known) {
    if (!key.startsWith(start)) continue
    const [, name = '', part = ''] = /^([^.]*)\.?(.*)$/.exec(key.slice(start.length)) ?? []
    items.set(name, (items.get(name) ?? new Map()).set(part, value))
  }
  // Not an item, but a part of the section.
  items.delete('call')
  // Texts of the section itself.
  const withParts = [...items.values()].some(item => !item.has(''))
  return withParts ? new Map([...items].filter(([, item]) => !item.has(''))) : items
}

/** How each figure is said: only a changed wording has a value. */
function addWordings(
  file: string,
  wordings: Readonly<Record<string, string>>,
  values: Map<string, Value>,
  known: Originals,
): void {
  const numbers = String(known.get(`${file} shared.numbers`))
  for (const [name, said] of Object.entries(wordings)) {
    const key = `${file} figures.${name}`
    const original = String(known.get(key) ?? '{value}')
    const value = String(values.get(`evidence.toml figures.${name}.value`) ?? '')
    const isOriginal = value !== '' && figureInWords(original, value, numbers).text === said
    values.set(key, isOriginal || value === '' ? original : said.replace(value, '{value}'))
  }
}

function addFacts(facts: Entries, values: Map<string, Value>, known: Originals): void {
  const { name, phone, email, hours, address, callbacks, people, credentials, callsComeFromPhone } = entriesIn(
    facts['organization'],
  )
  const add = (file: string, path: string, data: Data | undefined) => collect(file, path, data ?? null, values, known)
  const lists = { languages: facts['languages'], address }
  for (const [key, data] of Object.entries({ name, phone, email, hours, callsComeFromPhone }))
    add('organization.toml', key, data)
  for (const [key, data] of Object.entries(lists)) values.set(`organization.toml ${key}`, data as Value)
  for (const language of callbacks ? knownLanguages : []) add('organization.toml', `callbacks.${language}`, callbacks)
  add('organization.toml', 'people', people)
  const inBoth = (credentials as readonly string[]).map(each => ({ en: each, es: each }))
  add('organization.toml', 'credentials', inBoth)
  add('organization.toml', 'spanish.answeredBy', entriesIn(entriesIn(facts['launchFacts'])['es'])['answeredBy'])
  add('organization.toml', 'advertorialDate', facts['publishedOn'])
  for (const key of ['logo', 'links', 'pictures']) add('organization.toml', key, facts[key])
  for (const [page, addresses] of Object.entries(entriesIn(facts['legal'])))
    add('organization.toml', `legal.${page}`, entriesIn(addresses))
  add('questions.toml', 'ages', facts['ages'])
  add('questions.toml', 'questions', byId(facts['questions'], 'id'))
  addQuestionOrder(facts['questions'], values, known)
  addFigures(facts, values)
  for (const [claim, evidence] of Object.entries(entriesIn(facts['claimSupport'])))
    add('evidence.toml', `claims.${claim}.evidence`, evidence)
  add('evidence.toml', 'testimonials', facts['testimonials'])
  const quote = facts['advertorialQuote'] ?? null
  if (quote === null) values.set('evidence.toml advertorialQuote.show', false)
  else add('evidence.toml', 'advertorialQuote', quote)
  for (const [id, accepted] of Object.entries(entriesIn(facts['justifications']))) {
    const { who, when, why } = entriesIn(accepted)
    for (const [part, data] of Object.entries({ by: who, on: when, why }))
      values.set(`reviews.toml accepted."${id}".${part}`, (data ?? null) as Value)
  }
  for (const language of knownLanguages) {
    const file = `${language}.toml`
    add(file, 'headlines', pickIn(language, byId(facts['headlineVariants'], 'name')))
    const pages = pickIn(language, byId(facts['landingPages'], 'path'))
    for (const [path, page] of Object.entries(pages)) add(file, `pages.${path}`, page)
  }
}

const byId = (list: Data | undefined, id: string): Entries =>
  Object.fromEntries(
    ((list ?? []) as readonly Entries[]).map(entry => {
      const { [id]: name, ...rest } = entry
      const plain = String(name).replace(/^\//, '')
      return [/^[\w-]+$/.test(plain) ? plain : JSON.stringify(plain), rest as Data]
    }),
  )

const pickIn = (language: Language, entries: Entries): Entries =>
  withoutNull(
    Object.fromEntries(Object.entries(entries).map(([name, data]) => [name, entriesIn(data)[language] ?? null])),
  )

function addQuestionOrder(questions: Data | undefined, values: Map<string, Value>, known: Originals): void {
  const asked = ((questions ?? []) as readonly { readonly id: string }[]).map(({ id }) => id)
  const before = [...itemsAt('questions.toml', 'questions', known).keys()]
  if (asked.join() !== before.join()) values.set('questions.toml questions.order', asked)
}

/** Figures that now follow from the ages and from another figure. */
const DERIVED = ['audienceAge', 'audienceAgeRange', 'questionAges', 'checkTakes']

function addFigures(facts: Entries, values: Map<string, Value>): void {
  for (const [name, figure] of Object.entries(entriesIn(facts['figures']))) {
    for (const [part, data] of Object.entries(entriesIn(figure))) {
      if (part !== 'value' || !DERIVED.includes(name))
        values.set(`evidence.toml figures.${name}.${part}`, data as Value)
    }
  }
}

/** Color variables in the style sheet. */
function addColors(checkout: string, values: Map<string, Value>): void {
  const styles = readFileSync(join(checkout, 'site/styles.css'), 'utf8')
  for (const [, name = '', color = ''] of styles.matchAll(/^\s*--color-([a-z-]+):\s*(#[0-9a-f]{6});/gim))
    values.set(`organization.toml colors.${name}`, color)
}
