/** Every text of one language, by page: en.toml and es.toml. What visitors sign is in files of its own (consent.ts). */
import {
  type ContactErrorCode,
  type ContactField,
  contactFields,
  describeField,
} from '../../domain/contact/contact-fields.ts'
import { STOP_FIELDS } from '../../domain/do-not-call/stop.ts'
import { privateWordIn } from '../../domain/text/private-words.ts'
import {
  choice,
  group,
  hideable,
  items,
  link,
  linked,
  maybe,
  namedItems,
  record,
  removable,
  sentence,
  text,
  type ValueOf,
  type ValuesOf,
} from './kinds.ts'

/** What browser tabs and search engines show. */
const metadata = { title: text(), description: text() }

/** A title and a sentence. */
const card = { title: text(), text: sentence() }
const icons = ['age', 'bills', 'condition', 'income', 'medicaid', 'medicare', 'process', 'toll', 'work'] as const

const callCard = group({ heading: text(), text: sentence(), label: text() })

const landing = group({
  ...metadata,
  hero: group({
    headline: text(),
    lead: sentence(),
    panelTitle: text(),
    note: sentence(),
    promises: items(group({ icon: choice('no-fees', 'confidential', 'quick'), text: text() })),
  }),
  socialProof: hideable(
    group({
      heading: text(),
      sampleHeading: text(),
      sampleNote: sentence(),
      sampleLabel: text(),
      starsLabel: removable,
    }),
  ),
  whoQualifies: hideable(group({ heading: text(), lead: sentence(), rules: items(group(card)) })),
  howItWorks: hideable(group({ heading: text(), steps: items(group(card)), cta: text() })),
  painPoints: hideable(
    group({
      heading: text(),
      lead: sentence(),
      points: items(group(card)),
      cta: text(),
    }),
  ),
  urgency: hideable(
    group({ heading: text(), lead: sentence(), reasons: items(group(card)), text: sentence(), cta: text() }),
  ),
  faq: hideable(group({ heading: text(), items: items(group({ question: text(), answer: linked })), call: callCard })),
  disclaimer: group({ heading: text(), paragraphs: items(text()) }),
})

const headed = group({ heading: text(), paragraphs: items(text()) })

const advertorial = group({
  ...metadata,
  sponsoredLabel: text(),
  sponsoredBy: text(),
  headline: text(),
  byline: sentence(),
  date: text({ later: ['month', 'day', 'year'] }),
  months: text(),
  lead: sentence(),
  illustration: hideable(group({ caption: sentence() })),
  earlyCta: text(),
  contentsHeading: text(),
  average: hideable(group({ figure: text(), label: text() })),
  callout: hideable(group({ heading: text(), text: sentence() })),
  ageAdvantage: hideable(headed),
  provides: hideable(group({ heading: text(), items: items(group(card)) })),
  sampleNote: text(),
  timing: hideable(headed),
  checkNow: group({ heading: text(), text: sentence() }),
  boxTitle: text(),
  footerNote: sentence(),
})

const zones = ['Eastern', 'Central', 'Mountain', 'Arizona', 'Pacific', 'Alaska', 'Hawaii', 'Atlantic'] as const

const thankYou = group({
  ...metadata,
  badge: text(),
  headline: text(),
  lead: sentence(),
  sentLead: sentence(),
  callback: group({
    today: text({ later: ['byTime'] }),
    tomorrow: text({ later: ['byTime'] }),
    later: text({ later: ['day', 'byTime'] }),
    zones: record(zones, text()),
  }),
  number: group({
    before: sentence(),
    after: sentence(),
    afterIfCallsComeFromIt: sentence(),
  }),
  saveNumber: text(),
  notADecision: sentence(),
  callHint: sentence(),
  callLabel: text(),
  nextHeading: text(),
  steps: items(group(card)),
  keep: group({ heading: text(), items: items(group({ title: text(), text: text(), link: maybe(link) })) }),
  reminder: removable,
  reminderText: sentence(),
  sayMore: group({
    heading: text(),
    wrong: text(),
    consent: text(),
    willCall: text({ later: ['number'] }),
    label: text(),
    corrected: text({ later: ['number'] }),
    refused: text(),
    failed: text(),
    timeHeading: text(),
    timeHint: sentence(),
    saved: text({ later: ['time'] }),
  }),
})

/** What a disqualifying answer means, as general information, with the official page. */
const declineReason = group({ title: text(), text: sentence(), link })

const decline = group({
  ...metadata,
  heading: text(),
  lead: sentence(),
  reasonsHeading: text(),
  reasons: record('questions', maybe(hideable(declineReason))),
  programsHeading: text(),
  programs: items(group({ icon: maybe(choice(...icons)), ...card, link })),
  external: sentence(),
  next: group({ heading: text(), items: items(linked), again: text() }),
  call: callCard,
})

const problem = {
  ...metadata,
  heading: text(),
  text: sentence(),
  help: maybe(text()),
  home: text(),
  callLead: sentence(),
}

const stop = group({
  ...metadata,
  heading: text(),
  lead: sentence(),
  fields: record(STOP_FIELDS, text()),
  button: text(),
  missing: text(),
  call: sentence(),
  done: group(problem),
  notRecorded: group(problem),
})

const shared = group({
  description: text(),
  submissionFailedHelp: text(),
  offlineHelp: text(),
  /** Shown if the team takes relay calls. */
  relay: text(),
  /** In which language we call and answer, if someone in it does, and if not. English needs none. */
  weCallIn: sentence(),
  mayCallInEnglish: sentence(),
  weAnswerIn: sentence(),
  mayAnswerInEnglish: sentence(),
  /** {stop}, with a word of its own or without. */
  stopWord: text(),
  stopWords: text({ later: ['word'] }),
  /** {duringHours}, with {hours}. */
  duringHours: removable,
  /** From zero to twelve. */
  numbers: text(),
})

const header = group({ skipLink: text(), homeLabel: text(), callLabel: text(), languagesLabel: text() })

const footer = group({
  callLead: sentence(),
  affiliation: text(),
  notLegalAdvice: sentence(),
  hoursLabel: text(),
  addressLabel: text(),
  peopleLabel: text(),
  emailLabel: text(),
  credentialsLabel: text(),
  linksLabel: text(),
  badges: record(['noFees', 'secure', 'rated'], removable),
  badgesLabel: text(),
  fiveStars: removable,
  copyright: text(),
})

export const legalPageNames = ['privacy', 'terms', 'hipaa', 'contact', 'help', 'accessibility'] as const

const links = group({
  ...(Object.fromEntries(legalPageNames.map(name => [name, text()])) as Record<
    (typeof legalPageNames)[number],
    ReturnType<typeof text>
  >),
  /** The advertorial's name for the terms. */
  termsOfService: text(),
  /** A page that exists only in English. */
  inEnglish: text({ later: ['text'] }),
})

const questionnaire = group({
  progressStart: text(),
  percentComplete: text({ later: ['percent'] }),
  lastStep: text(),
  progressLabel: text({ later: ['step', 'total'] }),
  place: text({ later: ['number', 'total'] }),
  yes: text(),
  no: text(),
  reassurance: removable,
  back: text(),
  startOver: text(),
  wrongAnswer: text(),
  sent: group({ heading: text(), text: sentence(), link: text() }),
  loading: text(),
  stillLoading: text(),
  /** `form`: above the plain form, which then replaces the questions; or, if no server takes it, `withoutForm` instead of it. */
  scriptMissing: group({ heading: text(), text: sentence(), call: text(), form: text(), withoutForm: text() }),
})

const plainForm = group({
  questionsHeading: text(),
  contactHeading: text(),
  callLanguage: removable,
  unanswered: text(),
  problem: group({ ...metadata, heading: text(), lead: sentence() }),
})

const field = group({
  label: text(),
  why: maybe(text()),
  placeholder: maybe(text()),
  parts: maybe(record(['month', 'day', 'year'], text())),
})

const contactForm = group({
  heading: text(),
  lead: sentence(),
  fields: record<ContactField, ValueOf<typeof field>>(contactFields, field),
  optional: text({ later: ['label'] }),
  didYouMean: text({ later: ['domain'] }),
  noEmail: text(),
  noSocialSecurityNumber: sentence(),
  submitting: text(),
  sending: text(),
  back: text(),
  clear: text(),
  allRequired: text(),
  errorTitlePrefix: text(),
})

const errorCodes = new Set(
  contactFields.flatMap(name => {
    const { required, tooLong, invalid, foreign, impossible, doubtful } = describeField(name)
    return [required, tooLong, invalid, foreign, impossible, doubtful].filter(code => code !== undefined)
  }),
)

const toast = group({ title: text(), text: sentence() })

const noticedByAnyone = (how: 'heard' | 'seen') => (said: string) => {
  const found = privateWordIn(said)
  return found === null ? null : `may be ${how} by anyone, so it can’t say why you call: leave out “${found}”`
}
const heardByAnyone = noticedByAnyone('heard')
const CALL = ['agent', 'person', 'date', 'site']

/** What agents say. */
const calls = group({
  opening: text({ later: CALL, check: heardByAnyone }),
  reason: text({ later: CALL }),
  spokenReason: text({ later: CALL }),
  voicemail: text({ later: CALL, check: heardByAnyone }),
  greeting: text({ later: CALL }),
  stopped: text({ later: CALL, check: heardByAnyone }),
  /** Read out by agents who don't speak it. */
  otherLanguage: text({ later: CALL, check: heardByAnyone }),
  answers: namedItems(group({ question: text(), answer: text({ later: CALL }) })),
  ourWebsite: text(),
  /** What agents say instead of a figure, by its name, once it's no longer valid. */
  expired: record(null, text()),
})

/** The letter to a visitor. Its first lines are shown beside the subject, so every line may be seen. */
const letterLine = (...later: string[]) => text({ later, check: noticedByAnyone('seen') })
const letter = group({
  subject: letterLine(),
  greeting: letterLine(),
  received: letterLine('sender'),
  number: letterLine(),
  numberIfCallsComeFromIt: letterLine(),
  reach: letterLine(),
  stop: letterLine(),
})

export const texts = {
  shared,
  header,
  footer,
  links,
  landing,
  advertorial,
  thankYou,
  decline,
  stop,
  questions: record('questions', text()),
  questionnaire,
  plainForm,
  contactForm,
  contactMessages: record<ContactErrorCode, string>([...errorCodes], text()),
  toasts: group({ incomplete: toast, submissionFailed: toast, dismiss: text(), regionLabel: text() }),
  notFound: group({ ...problem, consoleNote: text() }),
  applicationError: group(problem),
  submissionError: group(problem),
  calls,
  letter,
  /** Campaigns' landing pages: the landing page's texts, changed where they say something else. */
  pages: record(null, landing),
  headlines: namedItems(group({ headline: text(), lead: text() })),
}

/** What the site claims about its operator. */
export const claimNames = ['confidential', 'hipaaProtected', 'secure', 'rated', 'fiveStars'] as const

const confidentiality = text({ later: ['confidential', 'hipaaProtected'] })

export const claimWords = group({
  confidential: text(),
  hipaaProtected: text(),
  secure: text(),
  rated: text(),
  fiveStars: text(),
  /** {confidentiality}, by which claims are shown. */
  confidentiality: group({ both: confidentiality, confidential: confidentiality, hipaaProtected: confidentiality }),
})

export type Texts = ValuesOf<typeof texts>

export { zones as officeZones }
