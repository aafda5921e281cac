/** Everything that is said in one language. What needs a condition is decided here, so that the texts need none. */
import { fill } from '../domain/fill.ts'
import type { Language } from '../domain/languages.ts'
import { type Consent, type ConsentFacts, readConsent, readSpokenConsent } from './consent.ts'
import { capitalized, figureInWords, numberWord } from './figures.ts'
import { type Files, layOver, type TextFile } from './files.ts'
import { mistake, placeOf } from './findings.ts'
import type { Inserts } from './inserts.ts'
import { readFile } from './read-value.ts'
import type { FoundText, Reading } from './reading.ts'
import { maybe, record, text } from './schema/kinds.ts'
import { claimNames, claimWords, texts } from './schema/texts.ts'
import { emptyTable, isTable, type Node, type Table } from './toml.ts'
import type { CallWords, Figure, LandingCopy, Organization, Words } from './types.ts'

/** What the words of every language are about. */
export interface Facts {
  readonly organization: Organization
  /** Null: hidden. */
  readonly figures: Readonly<Record<string, Figure | null>>
  readonly shownClaims: ReadonlySet<string>
  /** Those that are asked, and all that have a name. */
  readonly asked: readonly string[]
  readonly questionIds: readonly string[]
  readonly linkTo: (name: string) => string | null | undefined
}

export interface SaidInLanguage {
  readonly words: Words
  readonly calls: CallWords
  readonly pages: Readonly<Record<string, LandingCopy>>
  readonly headlines: readonly { readonly id: string; readonly headline: string; readonly lead: string }[]
  /** For legal pages. */
  readonly legalInserts: Inserts
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

export function readWords(
  language: Language,
  table: Table,
  files: Pick<Files, 'whole'>,
  facts: Facts,
  readingOf: (more: Partial<Reading>) => Reading,
): SaidInLanguage {
  const { organization, figures } = facts
  const own = organizationInserts(organization, language)
  const { shared: sharedTable, figures: wordings, claims: claimTable, ...rest } = table
  const common = { ...own, socialSecurityPhone: organization.socialSecurityPhone }
  const first = readFile({ shared }, only({ shared: sharedTable }), readingOf({ inserts: common })).shared

  const { answeredBy, stopWord } = organization.spanish
  const isAnswered = language === 'en' || answeredBy !== undefined
  const relay = organization.takesRelayCalls ? first.relay : null
  const stop = language === 'en' || !stopWord ? first.stopWord : fill(first.stopWords, { word: stopWord })
  const languageInserts: Inserts = {
    relay,
    weCallIn: isAnswered ? first.weCallIn : first.mayCallInEnglish,
    weAnswerIn: isAnswered ? first.weAnswerIn : first.mayAnswerInEnglish,
    stop,
    duringHours: first.duringHours ?? '',
  }

  const count = numberWord(facts.asked.length, first.numbers)
  const figureWords = readFigures(wordings, figures, first.numbers, readingOf({}))
  const { claims, inserts: claimInserts } = readClaims(claimTable, facts.shownClaims, readingOf({ inserts: common }))
  const inserts: Inserts = {
    ...common,
    ...languageInserts,
    ...figureWords,
    ...claimInserts,
    questionCount: count,
    QuestionCount: capitalized(count),
  }

  const consentFacts = { legalName: organization.legalName, phone: organization.phone }
  const consent = readConsentFiles(language, files, consentFacts, facts.linkTo, readingOf({}))
  const reading = readingOf({
    inserts,
    questionIds: facts.questionIds,
    computed: {
      relay,
      hours: own['hours'] === null ? null : (organization.hours?.[language] ?? null),
      phone: organization.phone,
      button: consent.written.button,
      ...Object.fromEntries(
        Object.entries(organization.pictures).map(([name, { alt }]) => [`picture:${name}`, alt[language]]),
      ),
    },
  })
  const fields = { ...pageTexts, calls: callTexts, stop: stopTexts, headlines, pages }
  const said = readFile(fields, only({ ...rest, pages: pagesOver(rest) }), reading)
  const { calls, stop: stopContact, headlines: tests, pages: landingPages, thankYou, ...others } = said
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
    legalInserts: { ...own, ...languageInserts, relay: relay ?? '' },
  }
}

const only = (entries: Readonly<Record<string, Table[string] | undefined>>): Table =>
  Object.assign(emptyTable(), Object.fromEntries(Object.entries(entries).filter(([, node]) => node !== undefined)))

/** A campaign's page has the landing page's texts where it says nothing else. */
function pagesOver({ landing, pages: own }: Table): Table[string] | undefined {
  if (!own || !isTable(own.value) || !landing || !isTable(landing.value)) return own
  const originals = Object.fromEntries(Object.keys(own.value).map(name => [name, landing]))
  return { at: own.at, value: layOver(only(originals), own.value) }
}

/** Each figure as this language says it. Null: hidden. */
function readFigures(
  wordings: Node | undefined,
  figures: Facts['figures'],
  numbers: string,
  reading: Reading,
): Readonly<Record<string, string | null>> {
  const { file, language, places, texts: found } = reading
  const wording = maybe(text({ later: ['value', 'from', 'to', 'inWords'] }))
  const fields = { figures: record(Object.keys(figures), wording) }
  const said = readFile(fields, only({ figures: wordings }), { ...reading, texts: [] }).figures
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

function readClaims(claimTable: Node | undefined, shown: ReadonlySet<string>, reading: Reading) {
  const texts: FoundText[] = []
  const { confidentiality: sentences, ...said } = readFile({ claims: claimWords }, only({ claims: claimTable }), {
    ...reading,
    texts,
  }).claims
  // Pages show one of these sentences, as part of another text.
  reading.texts.push(...texts.filter(({ name }) => !name.startsWith('claims.confidentiality.')))
  const claims = Object.fromEntries(
    claimNames.map(name => [name, shown.has(name) ? said[name] : null]),
  ) as Words['claims']
  const careful = (['confidential', 'hipaaProtected'] as const).filter(name => shown.has(name))
  const which = careful.length === 2 ? 'both' : careful[0]
  return { claims, inserts: { ...claims, confidentiality: which ? fill(sentences[which], said) : '' } }
}

const MISSING: Consent = {
  notice: '',
  noticeLink: '',
  button: '',
  text: '',
  seller: '',
  paragraphs: [],
  links: [],
}

/** With a folder, the consent is in it: an upgrade must not bring other words. */
function readConsentFiles(
  language: Language,
  files: Pick<Files, 'whole'>,
  facts: ConsentFacts,
  linkTo: (name: string) => string | null | undefined,
  { findings, texts: found }: Reading,
): { readonly written: Consent; readonly spoken: string } {
  const read = (name: string): TextFile | null => {
    const file = files.whole(name)
    if (file === null && !findings.some(finding => finding.file === name))
      findings.push(
        mistake({ file: name, line: null }, 'This file is missing. npm run site -- new makes it, from the original.'),
      )
    return file
  }
  const written = read(`consent.${language}.md`)
  const spoken = read(`consent.spoken.${language}.md`)
  const consent = written === null ? MISSING : readConsent(written, facts, linkTo, findings)
  const sentence = spoken === null ? '' : readSpokenConsent(spoken, facts, findings)
  const add = (name: string, file: TextFile | null, all: readonly string[]) => {
    for (const each of all) found.push({ file: file?.file ?? name, line: null, name, language, text: each })
  }
  add('consent', written, [consent.notice, consent.button, ...consent.paragraphs])
  add('consent.spoken', spoken, [sentence])
  return { written: consent, spoken: sentence }
}
