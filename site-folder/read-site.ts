/**
 * Reads content/, lays an organization's folder over it, checks both, and fills in the texts. Returns plain data: nothing in it can run,
 * and the same data always makes the same pages.
 */

import { telHref } from '../domain/contact/phone.ts'
import { ENGLISH, type Language, pathInLanguage } from '../domain/languages.ts'
import { type ReviewedText, textsIn } from '../domain/text/text-blocks.ts'
import { checkPictures } from './check-pictures.ts'
import { createFiles, type Files } from './files.ts'
import { mistake, type Place, placeOf, type SiteFinding } from './findings.ts'
import { isLegalPage, legalHref } from './legal.ts'
import { checkClosed, checkQuestions, figuresOf, languagesOf } from './read-facts.ts'
import { headlinesOf, inEach, landingPagesOf, legalPagesOf } from './read-pages.ts'
import { readFile } from './read-value.ts'
import { readWholeTexts } from './read-whole-texts.ts'
import type { FoundText, Reading } from './reading.ts'
import { holdBackEdits, reviewedTogether, spanishVersion } from './reviews.ts'
import * as schema from './schema/facts.ts'
import { group, type Kind } from './schema/kinds.ts'
import { sectionsOf } from './schema/sections.ts'
import { claimWords, legalPageNames, texts as textSchema } from './schema/texts.ts'
import { emptyTable, isTable, type Table, tableIn } from './toml.ts'
import type { Figure, Organization, SiteData } from './types.ts'
import { urgentAsNames } from './whole-text.ts'
import { organizationInserts, readShared, readWords, type SaidInLanguage } from './words.ts'

export interface ReadSite {
  /** Null if there is an error. */
  readonly data: SiteData | null
  readonly findings: readonly SiteFinding[]
  /** Also if there's an error. */
  readonly held: SiteData['held']
}

/**
 * `folder`: the organization's (SITE_FOLDER), or null for the site as it's delivered. `lastReviewed`: what the site that this one replaces
 * has of reviewed texts, so that an edit of one isn't published without a review. Null to read the folder as it's written.
 */
export function readSite(folder: string | null, lastReviewed: readonly ReviewedText[] | null = null): ReadSite {
  const findings: SiteFinding[] = []
  const data = readAll(createFiles(folder, findings), lastReviewed, findings)
  const told = folder === null ? findings : findings.map(inFolder)
  const hasError = findings.some(({ level }) => level === 'error')
  return { data: hasError ? null : data, findings: distinct(told), held: data.held }
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

function readAll(files: Files, lastReviewed: readonly ReviewedText[] | null, findings: SiteFinding[]): SiteData {
  const texts: FoundText[] = []
  const places: Record<string, Place> = {}
  const readingOf =
    (file: string, language: Language, sections: Readonly<Record<string, Kind<unknown>>>) =>
    (more: Partial<Reading>): Reading => ({
      file,
      language,
      findings,
      texts,
      places,
      inserts: {},
      links: {},
      sections: () => new Map([...topLevel, ...sectionsOf(sections)]),
      ...more,
    })
  const read = <Fields extends Readonly<Record<string, Kind<unknown>>>>(
    file: string,
    fields: Fields,
    more: Partial<Reading> = {},
  ) => readFile(fields, files.toml(file), readingOf(file, ENGLISH, fields)({ texts: [], ...more }))

  const own = read('organization.toml', schema.organization, { texts })
  const organization: Organization = { ...own, legalName: own.legalName ?? own.name }
  if (own.format !== FORMAT)
    findings.push(
      mistake(
        placeOf(places, 'organization.toml format'),
        `format = ${own.format} is for another version of this program. Type format = ${FORMAT}, or install that version.`,
      ),
    )
  const languages = languagesOf(own.languages, places, findings)
  checkClosed(own.closed ?? [], places, findings)
  const asked = read('questions.toml', schema.questions)
  const { ages, questions } = asked
  const evidence = read('evidence.toml', schema.evidence, { texts })
  const figures = figuresOf(evidence.figures, ages, places, findings)
  const reviews = read('reviews.toml', schema.reviews)
  checkQuestions(asked, places, findings)
  checkPictures(own, files, places, findings)

  const english = files.toml('en.toml')
  const inLanguage = inEach(language => {
    const table = language === ENGLISH ? english : files.toml(`${language}.toml`)
    const sections = { ...textSchema, figures: group({}), claims: claimWords }
    const reading = readingOf(`${language}.toml`, language, sections)
    const facts = organizationInserts(organization, language)
    const shared = readShared(language, table, organization, facts, reading({ english }))
    const unseen = reading({ english, findings: [], texts: [], places: {} })
    const reviewedFacts = urgentAsNames(facts)
    const { inserts } = readShared(language, table, organization, reviewedFacts, unseen)
    return {
      table,
      reading,
      facts,
      shared,
      wholeInserts: { ...reviewedFacts, ...inserts, relay: inserts['relay'] ?? '' },
    }
  })
  const whole = readWholeTexts(files, organization, languages, language => inLanguage[language].wholeInserts, findings)
  const { live, reviewable, reviewed, unknown, held } = files.isOwn
    ? holdBackEdits(whole, organization, reviews, lastReviewed, languages, findings)
    : {
        live: new Map(whole.map(text => [text.name, { ...organization, ...text }])),
        reviewable: {},
        reviewed: [],
        unknown: [],
        held: [],
      }
  const legalPages = inEach(language => {
    const { facts, shared } = inLanguage[language]
    return legalPagesOf(language, live, facts, shared.inserts['relay'] ?? '', findings)
  })
  const links = { languages, legalPages, legalPagesElsewhere: own.legal }
  const said = (language: Language): SaidInLanguage => {
    const { table, reading, shared } = inLanguage[language]
    return readWords(
      language,
      language === ENGLISH ? table : withEnglishQuestions(table, english, questions, language, findings),
      shared,
      {
        organization,
        figures,
        shownClaims: new Set(
          Object.entries(evidence.claims).flatMap(([name, claim]) => (claim === null ? [] : [name])),
        ),
        asked: questions.map(({ id }) => id),
        questionIds: Object.keys(tableIn(files.toml('questions.toml'), 'questions')).filter(name => name !== 'order'),
        linkTo: name => {
          if (name === 'stop') return pathInLanguage(language, '/stop')
          if (!isLegalPage(name)) return name
          return legalHref(language, name, links) ?? legalHref(ENGLISH, name, links)
        },
        live,
      },
      more =>
        reading({
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
  const landingPages = landingPagesOf(inLanguages, languages, findings, places)
  return {
    organization,
    languages,
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
    testimonials: evidence.testimonials.map(({ id, ...each }) => ({ key: `testimonials.${id}`, ...each })),
    advertorialQuote: evidence.advertorialQuote && { key: 'advertorialQuote', ...evidence.advertorialQuote },
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
    reviewedTogether: reviewedTogether(live, reviews),
    unknownTexts: unknown,
    held,
    // Agents read the spoken one.
    formOff: languages.filter(language =>
      unknown.some(name => name.endsWith(`.${language}`) && !name.startsWith('consent.spoken')),
    ),
    spanishVersion: spanishVersion(
      [inLanguage.es.table, files.toml('organization.toml'), files.toml('evidence.toml')],
      whole,
    ),
    texts: shownTexts(texts, languages, legalPages),
    places,
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
    Object.entries(legalPages[language]).flatMap(([name, { file, isDraft, blocks }]) =>
      isDraft ? [] : [{ file, line: null, name: `legal.${name}`, language, text: textsIn(blocks).join(' ') }],
    ),
  )
  return [...texts.filter(text => languages.includes(text.language) && !isRepeated(text)), ...published]
}
