/**
 * Reads content/, lays an organization's folder over it, checks both, and fills in the texts. Returns plain data: nothing in it can run,
 * and the same data always makes the same pages.
 */
import { isCalendarDate } from '../domain/dates.ts'
import { ENGLISH, knownLanguages, type Language, pathInLanguage } from '../domain/languages.ts'
import { telHref } from '../domain/phone.ts'
import { ORIGINAL, VARIANT_NAME } from '../domain/variants.ts'
import { checkPictures } from './check-pictures.ts'
import { createFiles, type Files } from './files.ts'
import { type Place, type Places, placeOf, type SiteFinding } from './findings.ts'
import { type LegalPage, type LegalPageName, legalHref, readLegalPage } from './legal.ts'
import { type FoundText, type Reading, readFile } from './read-value.ts'
import { holdBackEdits, type ReviewedTexts } from './reviews.ts'
import * as schema from './schema/facts.ts'
import type { Kind } from './schema/kinds.ts'
import { sectionsOf } from './schema/sections.ts'
import { claimWords, legalPageNames, texts as textSchema } from './schema/texts.ts'
import { emptyTable, isTable, type Table } from './toml.ts'
import type { Figure, InEachLanguage, Organization, SiteData } from './types.ts'
import { readWords, type SaidInLanguage } from './words.ts'

export interface ReadSite {
  /** Null if there is an error. */
  readonly data: SiteData | null
  readonly findings: readonly SiteFinding[]
}

/**
 * `folder`: the organization's (SITE_FOLDER), or null for the site as it's delivered. `lastReviewed`: what the site that this one replaces
 * has of reviewed texts, so that an edit of one isn't published without a review. Null to read the folder as it's written.
 */
export function readSite(folder: string | null, lastReviewed: ReviewedTexts | null = null): ReadSite {
  const findings: SiteFinding[] = []
  const data = readAll(createFiles(folder, findings), lastReviewed, findings)
  const told = folder === null ? findings : findings.map(inFolder)
  return { data: findings.some(({ level }) => level === 'error') ? null : data, findings: distinct(told) }
}

/** An upgrade replaces content/: what is wrong there is changed by adding to the folder. */
const inFolder = (finding: SiteFinding): SiteFinding =>
  finding.file.startsWith('content/')
    ? { ...finding, file: finding.file.slice('content/'.length), line: null }
    : finding

const distinct = (findings: readonly SiteFinding[]) => [
  ...new Map(findings.map(finding => [JSON.stringify(finding), finding])).values(),
]

/** Of the folder's files. */
const FORMAT = 1

/** A name at the top of a file, for someone who put it into another one. */
const topLevel = new Map(
  Object.entries({
    'organization.toml': schema.organization,
    'evidence.toml': schema.evidence,
    'questions.toml': schema.questions,
    'reviews.toml': schema.reviews,
    'en.toml': textSchema,
  }).flatMap(([file, fields]) => Object.keys(fields).map(name => [name, [file]] as const)),
)

function readAll(asWritten: Files, lastReviewed: ReviewedTexts | null, findings: SiteFinding[]): SiteData {
  const texts: FoundText[] = []
  const places: Record<string, Place> = {}
  const readingOf =
    (file: string, language: Language, sections: Readonly<Record<string, Kind<unknown>>>) =>
    (more: Partial<Reading>): Reading => ({
      ...{ file, language, findings, texts, places, inserts: {}, computed: {}, links: {} },
      sections: new Map([...topLevel, ...sectionsOf(sections)]),
      ...more,
    })
  const read = <Fields extends Readonly<Record<string, Kind<unknown>>>>(
    file: string,
    fields: Fields,
    more: Partial<Reading> = {},
  ) => readFile(fields, asWritten.toml(file), readingOf(file, ENGLISH, fields)({ texts: [], ...more }))

  const own = read('organization.toml', schema.organization, { texts })
  const organization = organizationOf(own)
  if (own.format !== FORMAT)
    findings.push({
      level: 'error',
      ...placeOf(places, 'organization.toml format'),
      message: `format = ${own.format} is for another version of this program. Type format = ${FORMAT}, or install that version.`,
    })
  const languages = languagesOf(own.languages, places, findings)
  const { ages, questions } = read('questions.toml', schema.questions)
  const evidence = read('evidence.toml', schema.evidence, { texts })
  const figures = figuresOf(evidence.figures, ages, places, findings)
  const reviews = read('reviews.toml', schema.reviews)
  const { files, reviewable, reviewed } = holdBackEdits(
    asWritten,
    organization,
    reviews,
    lastReviewed,
    languages,
    findings,
  )
  checkQuestions(questions, ages, findings)
  checkLegalPages(files, languages, own.legal, findings)
  checkPictures(own, files, places, findings)

  const english = files.toml('en.toml')
  const spanish = { answeredBy: own.spanish.answeredBy ?? null, stopWord: own.spanish.stopWord ?? null }
  // Links depend only on which pages are drafts.
  const links = {
    languages,
    legalPages: inEach(language => legalPagesOf(language, files, {}, [])),
    legalPagesElsewhere: own.legal,
  }
  const said = (language: Language): SaidInLanguage => {
    const table = language === ENGLISH ? english : files.toml(`${language}.toml`)
    const sections = {
      ...textSchema,
      figures: { shape: { is: 'group', fields: {} } } as Kind<unknown>,
      claims: { shape: { is: 'group', fields: claimWords.fields } } as Kind<unknown>,
    }
    return readWords(
      language,
      language === ENGLISH ? table : withEnglishQuestions(table, english, questions, language, findings),
      files,
      {
        organization,
        socialSecurityPhone: own.socialSecurityPhone,
        ...(language === ENGLISH ? { answeredBy: null, stopWord: null } : spanish),
        figures,
        shownClaims: new Set(
          Object.entries(evidence.claims).flatMap(([name, claim]) => (claim === null ? [] : [name])),
        ),
        asked: questions.map(({ id }) => id),
        questionIds: Object.keys(tableAt(files.toml('questions.toml'), 'questions')).filter(name => name !== 'order'),
        pictures: own.pictures,
        linkTo: name => {
          if (name === 'stop') return pathInLanguage(language, '/stop')
          if (!isLegalPage(name)) return undefined
          return legalHref(language, name, links) ?? legalHref(ENGLISH, name, links)
        },
      },
      more =>
        readingOf(
          `${language}.toml`,
          language,
          sections,
        )({
          english,
          links: {
            ...Object.fromEntries(Object.entries(own.links).map(([name, urls]) => [name, urls[language]])),
            ...Object.fromEntries(legalPageNames.map(name => [name, legalHref(language, name, links)])),
            socialSecurityPhone: telHref(own.socialSecurityPhone),
          },
          ...more,
        }),
    )
  }
  const inLanguages = inEach(said)
  const legalPages = inEach(language =>
    legalPagesOf(
      language,
      files,
      { ...inLanguages[language].legalInserts, phone: phoneLink(organization), email: emailLink(organization) },
      findings,
    ),
  )
  const landingPages = landingPagesOf(inLanguages, languages, findings, places)
  return {
    organization,
    languages,
    languageFacts: { es: { ...spanish, reviewed: reviews.languages['es'] ?? null } },
    colors: own.colors,
    pictures: own.pictures,
    logo: own.logo,
    ages,
    questions,
    figures: Object.fromEntries(Object.entries(figures).filter(([, figure]) => figure !== null)) as Record<
      string,
      Figure
    >,
    claims: Object.fromEntries(
      Object.entries(evidence.claims).flatMap(([name, claim]) =>
        claim === null ? [] : [[name, claim.evidence ?? null]],
      ),
    ),
    testimonials: evidence.testimonials.map(({ id, ...each }) => testimonialOf(`testimonials.${id}`, each)),
    advertorialQuote: evidence.advertorialQuote && testimonialOf('advertorialQuote', evidence.advertorialQuote),
    publishedOn: own.advertorialDate ?? null,
    headlineVariants: headlinesOf(inLanguages, findings, places),
    landingPages,
    legalPages,
    legalPagesElsewhere: own.legal,
    words: inEach(language => inLanguages[language].words),
    callWords: inEach(language => inLanguages[language].calls),
    reviews,
    reviewable,
    reviewed,
    texts: shownTexts(texts, languages, legalPages),
    places,
  }
}

const inEach = <Value>(of: (language: Language) => Value): InEachLanguage<Value> =>
  Object.fromEntries(knownLanguages.map(language => [language, of(language)])) as unknown as InEachLanguage<Value>

function organizationOf(own: schema.OrganizationFile): Organization {
  const { name, phone, people, credentials, callsComeFromPhone, takesRelayCalls, callbacks } = own
  return {
    name,
    legalName: own.legalName ?? name,
    phone,
    email: own.email ?? null,
    hours: own.hours ?? null,
    address: own.address ?? null,
    callbacks: { en: callbacks?.en ?? null, es: callbacks?.es ?? null },
    people,
    credentials,
    callsComeFromPhone,
    takesRelayCalls,
  }
}

const testimonialOf = (key: string, { text, ...rest }: NonNullable<schema.EvidenceFile['advertorialQuote']>) => ({
  key,
  ...rest,
  text: { en: text.en ?? null, es: text.es ?? null },
})

function languagesOf(listed: readonly string[], places: Places, findings: SiteFinding[]): readonly Language[] {
  const problem = (message: string) =>
    findings.push({ level: 'error', ...placeOf(places, 'organization.toml languages'), message })
  const unknown = listed.find(language => !knownLanguages.includes(language as Language))
  if (unknown !== undefined)
    problem(
      `languages lists “${unknown}”, but there are only ${knownLanguages.map(each => `"${each}"`).join(' and ')}.`,
    )
  if (!listed.includes(ENGLISH)) problem('languages must have English: languages = ["en", "es"]')
  return knownLanguages.filter(language => listed.includes(language))
}

/** What these say is decided elsewhere. */
const DERIVED: Readonly<
  Record<
    string,
    {
      readonly from: string
      readonly value: (ages: schema.QuestionsFile['ages'], figures: schema.EvidenceFile['figures']) => string
    }
  >
> = {
  audienceAge: { from: 'ages in questions.toml', value: ({ from }) => `${from}` },
  audienceAgeRange: { from: 'ages in questions.toml', value: ({ from, to }) => `${from}-${to}` },
  questionAges: { from: 'ages in questions.toml', value: ({ from, to }) => `${from}-${to}` },
  checkTakes: { from: 'checkDuration', value: (_, { checkDuration }) => checkDuration?.value ?? '' },
}

function figuresOf(
  figures: schema.EvidenceFile['figures'],
  ages: schema.QuestionsFile['ages'],
  places: Places,
  findings: SiteFinding[],
): Readonly<Record<string, Figure | null>> {
  const problem = (name: string, message: string) =>
    findings.push({ level: 'error', ...placeOf(places, `evidence.toml figures.${name}`), message })
  return Object.fromEntries(
    Object.entries(figures).map(([name, figure]) => {
      if (figure === null) return [name, null]
      const derived = Object.hasOwn(DERIVED, name) ? DERIVED[name] : undefined
      if (derived && figure.value !== undefined)
        problem(name, `${name} comes from ${derived.from}. Delete its value here.`)
      if (figure.since && figure.until && isCalendarDate(figure.until) && figure.until < figure.since)
        problem(
          `${name}.until`,
          `[figures.${name}] ends before since, ${figure.since}. Type a later day: until = "2026-12-31"`,
        )
      if (!derived && figure.value === undefined) problem(name, `[figures.${name}] needs value: value = "…"`)
      const value = derived ? derived.value(ages, figures) : (figure.value ?? '')
      const { claim, source = null, since = null, until = null, note } = figure
      return [name, { value, claim, source, since, until, note }]
    }),
  )
}

const QUESTION_ID = /^[A-Za-z][A-Za-z0-9]*$/

function checkQuestions(questions: SiteData['questions'], ages: SiteData['ages'], findings: SiteFinding[]): void {
  const problem = (message: string) => findings.push({ level: 'error', file: 'questions.toml', line: null, message })
  const { from, to } = ages
  const isRead = findings.every(({ file, level }) => file !== 'questions.toml' || level === 'note')
  if (isRead && (![from, to].every(age => Number.isInteger(age) && age >= 18 && age <= 120) || from >= to))
    problem('[ages] must be whole numbers of years, from the younger to the older: from = 55, to = 64')
  if (isRead && questions.length === 0) problem('There must be at least one question: [questions.someName]')
  for (const { id } of questions) {
    // Webhook receivers use the ID as a JSON key.
    if (!QUESTION_ID.test(id))
      problem(`A question’s name has only letters and digits, such as seesDoctor, but this one is: ${id}`)
  }
}

/** A question without a translation is asked in English. */
function withEnglishQuestions(
  table: Table,
  english: Table,
  questions: SiteData['questions'],
  language: Language,
  findings: SiteFinding[],
): Table {
  const [said, original] = [table['questions'], english['questions']]
  if (!said || !original || !isTable(said.value) || !isTable(original.value)) return table
  const texts: Table = Object.assign(emptyTable(), said.value)
  for (const { id } of questions) {
    const node = original.value[id]
    if (texts[id] !== undefined || node === undefined) continue
    texts[id] = node
    findings.push({
      level: 'note',
      file: `${language}.toml`,
      line: null,
      message: `The question ${id} has no translation, so it’s asked in English. Add it: [questions] ${id} = "…"`,
    })
  }
  return { ...table, questions: { at: said.at, value: texts } }
}

function tableAt(table: Table, name: string): Table {
  const value = table[name]?.value
  return value !== undefined && isTable(value) ? value : emptyTable()
}

const isLegalPage = (name: string): name is LegalPageName => legalPageNames.includes(name as LegalPageName)

const phoneLink = ({ phone }: Organization) => `[${phone}](${telHref(phone)})`
const emailLink = ({ email }: Organization) => email && `[${email}](mailto:${email})`

/** With a folder, a page is in it or on another site: an upgrade must not bring other words. */
function checkLegalPages(
  files: Files,
  languages: readonly Language[],
  elsewhere: schema.OrganizationFile['legal'],
  findings: SiteFinding[],
): void {
  for (const language of languages)
    for (const name of legalPageNames) {
      const file = `legal/${name}.${language}.md`
      if (elsewhere[name]?.[language] === undefined && files.whole(file) === null)
        findings.push({
          level: 'error',
          file,
          line: null,
          message: `This file is missing. npm run site -- new makes it, from the original. If the page is on another site, add [legal] ${name}.${language} = "https://…" to organization.toml.`,
        })
    }
}

function legalPagesOf(
  language: Language,
  files: Files,
  inserts: Reading['inserts'],
  findings: SiteFinding[],
): Readonly<Record<LegalPageName, LegalPage>> {
  const pages = legalPageNames.map(name => {
    const found = files.whole(`legal/${name}.${language}.md`)
    return [name, readLegalPage(language, name, found, inserts, findings)]
  })
  return Object.fromEntries(pages)
}

const PATH = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
/** Our own pages, and files that the server and browsers ask for. */
const RESERVED = [
  'advertorial',
  'thank-you',
  'decline',
  'stop',
  ...legalPageNames,
  'index',
  'error',
  'not-found',
  'plain-form',
  'submission-error',
  'stop-form',
  'stop-done',
  'stop-error',
  'variants',
  'api',
  'assets',
  'healthz',
  'readyz',
  'metrics',
  'manifest',
  'fingerprint',
  'favicon',
  'robots',
  'sitemap',
  ...knownLanguages,
]

function landingPagesOf(
  said: InEachLanguage<SaidInLanguage>,
  languages: readonly Language[],
  findings: SiteFinding[],
  places: Places,
): SiteData['landingPages'] {
  const names = [...new Set(languages.flatMap(language => Object.keys(said[language].pages)))]
  for (const name of names) {
    const language = languages.find(each => said[each].pages[name]) ?? ENGLISH
    if (!PATH.test(name) || RESERVED.includes(name))
      findings.push({
        level: 'error',
        ...placeOf(places, `${language}.toml pages.${name}`),
        message: RESERVED.includes(name)
          ? `/${name} is already used. Choose another name for [pages.${name}].`
          : `[pages.${name}] must be a path such as [pages.veterans]: lowercase letters, digits, and dashes.`,
      })
  }
  return names.map(name => ({ path: `/${name}`, ...inEach(language => said[language].pages[name] ?? null) }))
}

function headlinesOf(
  said: InEachLanguage<SaidInLanguage>,
  findings: SiteFinding[],
  places: Places,
): SiteData['headlineVariants'] {
  const names = [...new Set(knownLanguages.flatMap(language => said[language].headlines.map(({ id }) => id)))]
  for (const name of names) {
    const language = knownLanguages.find(each => said[each].headlines.some(({ id }) => id === name)) ?? ENGLISH
    if (!VARIANT_NAME.test(name) || name === ORIGINAL)
      findings.push({
        level: 'error',
        ...placeOf(places, `${language}.toml headlines.${name}`),
        message: `[headlines.${name}] must have a name of up to 20 lowercase letters, digits, and dashes, other than “${ORIGINAL}”.`,
      })
  }
  return names.map(name => ({
    name,
    ...inEach(language => {
      const found = said[language].headlines.find(({ id }) => id === name)
      return found ? { headline: found.headline, lead: found.lead } : null
    }),
  }))
}

/** A campaign's page repeats the landing page's texts, and a language that is off isn't read. */
function shownTexts(
  texts: readonly FoundText[],
  languages: readonly Language[],
  legalPages: SiteData['legalPages'],
): readonly FoundText[] {
  const placeOf = ({ file, line }: FoundText) => `${file}:${line}`
  const onLandingPage = new Set(texts.filter(({ name }) => name.startsWith('landing.')).map(placeOf))
  const isRepeated = (text: FoundText) => text.name.startsWith('pages.') && onLandingPage.has(placeOf(text))
  const published = languages.flatMap(language =>
    Object.entries(legalPages[language]).flatMap(([name, { file, isDraft, text }]) =>
      isDraft ? [] : [{ file, line: null, name: `legal.${name}`, language, text: text.replaceAll(/\s+/g, ' ').trim() }],
    ),
  )
  return [...texts.filter(text => languages.includes(text.language) && !isRepeated(text)), ...published]
}
