/** Everything that is said in one language. What needs a condition is decided here, so that the texts need none. */

import type { Language } from '../domain/languages.ts'
import { fill } from '../domain/text/fill.ts'
import { textsIn } from '../domain/text/text-blocks.ts'
import { consentOf } from './consent.ts'
import { capitalized, figureInWords, numberWord } from './figures.ts'
import { layOver } from './files.ts'
import { mistake, placeOf } from './findings.ts'
import type { Inserts } from './inserts.ts'
import { readFile, readSection } from './read-value.ts'
import type { FoundText, Reading } from './reading.ts'
import type { LiveText } from './reviews.ts'
import { maybe, plainOf, record, text } from './schema/kinds.ts'
import { claimNames, claimWords, texts } from './schema/texts.ts'
import { didYouMean } from './suggest.ts'
import { isTable, type Table } from './toml.ts'
import type { CallWords, Figure, LandingCopy, Organization, Words } from './types.ts'
import { withFacts } from './whole-text.ts'

/** What the words of every language are about. */
export interface Facts {
  readonly organization: Organization
  /** Null: hidden. */
  readonly figures: Readonly<Record<string, Figure | null>>
  readonly shownClaims: ReadonlySet<string>
  /** The questions that are asked, and all that have a name. */
  readonly asked: readonly string[]
  readonly questionIds: readonly string[]
  readonly linkTo: (name: string) => string | null
  readonly live: ReadonlyMap<string, LiveText>
}

export interface SaidInLanguage {
  readonly words: Words
  readonly calls: CallWords
  readonly pages: Readonly<Record<string, LandingCopy>>
  readonly headlines: readonly { readonly id: string; readonly headline: string; readonly lead: string }[]
}

/** What our own facts are called in texts. */
export function organizationInserts(
  { name, legalName, phone, email, hours, address }: Organization,
  language: Language,
): Inserts {
  const open = hours?.[language].replace(/(?<![ap]\.\s?m)\.$/i, '') ?? null
  return {
    organization: name,
    legalName,
    phone,
    email: email ?? null,
    address: address?.join(', ') ?? null,
    hours: open,
    // “de lunes a viernes” within a sentence
    hoursInside: open && language !== 'en' ? open.charAt(0).toLowerCase() + open.slice(1) : open,
  }
}

const { shared, pages, calls: callTexts, stop: stopTexts, headlines, ...pageTexts } = texts

/** What other texts insert, and whole texts, too. */
export function readShared(
  language: Language,
  table: Table,
  organization: Organization,
  own: Inserts,
  reading: Reading,
) {
  const common = { ...own, socialSecurityPhone: organization.socialSecurityPhone }
  const said = readSection('shared', shared, table, { ...reading, inserts: common })
  const { answeredBy, stopWord } = organization.spanish
  const isAnswered = language === 'en' || answeredBy !== undefined
  const inserts: Inserts = {
    relay: organization.takesRelayCalls ? said.relay : null,
    weCallIn: isAnswered ? said.weCallIn : said.mayCallInEnglish,
    weAnswerIn: isAnswered ? said.weAnswerIn : said.mayAnswerInEnglish,
    stop: language === 'en' || !stopWord ? said.stopWord : fill(said.stopWords, { word: stopWord }),
    duringHours: said.duringHours ?? '',
  }
  return { said, inserts, common }
}

type Shared = ReturnType<typeof readShared>

export function readWords(
  language: Language,
  table: Table,
  { said: first, inserts: languageInserts, common }: Shared,
  facts: Facts,
  readingOf: (more: Partial<Reading>) => Reading,
): SaidInLanguage {
  const { organization, figures } = facts
  const { shared: _, figures: _wordings, claims: _claims, calls: _calls, ...ofPages } = table
  const count = numberWord(facts.asked.length, first.numbers)
  const figureWords = readFigures(table, figures, first.numbers, readingOf({}))
  const { claims, inserts: claimInserts } = readClaims(table, facts.shownClaims, readingOf({ inserts: common }))
  const inserts: Inserts = {
    ...common,
    ...languageInserts,
    ...figureWords,
    ...claimInserts,
    questionCount: count,
    QuestionCount: capitalized(count),
  }

  const consent = readConsents(language, facts, readingOf({}))
  const reading = readingOf({ inserts, questionIds: facts.questionIds })
  const fields = { ...pageTexts, stop: stopTexts, headlines, pages }
  const said = readFile(fields, pagesOver(ofPages), reading)
  const open = Object.fromEntries(Object.entries(figureWords).map(([name, said]) => [name, said && `{${name}}`]))
  // A figure may expire before the site is published again, so the desk fills them in.
  const spoken = { ...reading, inserts: { ...inserts, ...open } }
  const calls = readSection('calls', callTexts, table, spoken)
  for (const name of Object.keys(calls.expired).filter(each => !Object.hasOwn(figures, each)))
    reading.findings.push(
      mistake(
        placeOf(reading.places, `${reading.file} calls.expired.${name}`),
        `evidence.toml has no figure named ${name}.${didYouMean(name, Object.keys(figures))}`,
      ),
    )
  const { stop: stopContact, headlines: tests, pages: landingPages, thankYou, ...others } = said
  const { after, afterIfCallsComeFromIt, ...number } = thankYou.number
  return {
    words: {
      ...others,
      thankYou: {
        ...thankYou,
        number: {
          ...number,
          after: organization.callsComeFromPhone ? afterIfCallsComeFromIt : after,
          afterIfCallsComeFromIt,
        },
      },
      stopContact,
      relay: languageInserts['relay'] ?? null,
      description: first.description,
      submissionFailedHelp: first.submissionFailedHelp,
      offlineHelp: first.offlineHelp,
      consent: consent.written,
      figures: Object.fromEntries(Object.entries(figureWords).filter(([, said]) => said !== null)) as Record<
        string,
        string
      >,
      claims,
    },
    calls: { ...calls, spokenConsent: consent.spoken },
    pages: landingPages,
    headlines: tests,
  }
}

/** A campaign's page has the landing page's texts where it says nothing else. */
function pagesOver(table: Table): Table {
  const { landing, pages: own } = table
  if (!own || !isTable(own.value) || !landing || !isTable(landing.value)) return table
  const originals = Object.fromEntries(Object.keys(own.value).map(name => [name, landing]))
  return { ...table, pages: { at: own.at, value: layOver(originals, own.value) } }
}

/** Each figure as this language says it. Null: hidden. */
function readFigures(
  table: Table,
  figures: Facts['figures'],
  numbers: string,
  reading: Reading,
): Readonly<Record<string, string | null>> {
  const { file, language, places, texts: found } = reading
  const wording = maybe(text({ later: ['value', 'from', 'to', 'inWords'] }))
  const said = readSection('figures', record(Object.keys(figures), wording), table, { ...reading, texts: [] })
  return Object.fromEntries(
    Object.entries(figures).map(([name, figure]) => {
      if (figure === null) return [name, null]
      const shown = figureInWords(said[name] ?? '{value}', figure.value, numbers).text
      const key = `figures.${name}`
      found.push({ ...placeOf(places, `${file} ${key}`), name: key, language, text: shown })
      return [name, shown]
    }),
  )
}

function readClaims(table: Table, shown: ReadonlySet<string>, reading: Reading) {
  const texts: FoundText[] = []
  const { confidentiality: sentences, ...said } = readSection('claims', claimWords, table, { ...reading, texts })
  // Pages show one of these sentences, as part of another text.
  reading.texts.push(...texts.filter(({ name }) => !name.startsWith('claims.confidentiality.')))
  const claims = Object.fromEntries(
    claimNames.map(name => [name, shown.has(name) ? said[name] : null]),
  ) as Words['claims']
  const careful = (['confidential', 'hipaaProtected'] as const).filter(name => shown.has(name))
  const which = careful.length === 2 ? 'both' : careful[0]
  return { claims, inserts: { ...claims, confidentiality: which ? fill(sentences[which], said) : '' } }
}

function readConsents(language: Language, { live, linkTo, organization }: Facts, { findings, texts: found }: Reading) {
  const textOf = (name: string) => {
    const { file, blocks, legalName } = live.get(`${name}.${language}`) ?? { ...organization, file: '', blocks: [] }
    const report = (message: string) => findings.push(mistake({ file, line: null }, message))
    const add = (texts: readonly string[]) => {
      for (const text of texts) if (text !== '') found.push({ file, line: null, name, language, text })
    }
    return { blocks: withFacts(blocks, { phone: organization.phone }, report), legalName, add }
  }
  const [written, read] = [textOf('consent'), textOf('consent.spoken')]
  const consent = consentOf(written.blocks, written.legalName, linkTo)
  written.add([consent.notice, consent.button, ...consent.below.map(plainOf)])
  const spoken = textsIn(read.blocks).join(' ')
  read.add([spoken])
  return { written: consent, spoken }
}
