/** The format of `built/manifest.json`, which the build writes and the server reads. */

import type { Office } from '../../domain/calling/callback.ts'
import type { CallLanguage } from '../../domain/calling/list.ts'
import type { AgeRange } from '../../domain/contact/plausibility.ts'
import { ENGLISH } from '../../domain/languages.ts'
import type { LaunchNote, LaunchPoint } from '../../domain/launch/findings.ts'
import type { QuestionnaireText } from '../../domain/leads/as-presented.ts'
import type { ContactMessages, TrustedFormMode } from '../../domain/leads/lead.ts'
import type { HeldText, ReviewedText } from '../../domain/text/text-blocks.ts'

export interface SiteFile {
  /** The URL path, or null for pages without one, such as error pages. */
  readonly path: string | null
  /** The file, relative to the manifest. */
  readonly file: string
  readonly type: string
  readonly encodings: readonly Encoding[]
  /** The name changes with the content, so browsers can cache it forever. */
  readonly immutable: boolean
  /** A page with the questionnaire, which sends leads. */
  readonly sendsLeads?: boolean
  /** One of a page's variants. Static hosts show the one with a path. */
  readonly variant?: { readonly of: string; readonly name: string }
  /** For pages: hashes of the inline scripts and styles. */
  readonly inline?: InlineHashes
  /** A file of an earlier site, which open pages may still import. Left out of sites that are built after this time. */
  readonly until?: number
}

export type Encoding = 'br' | 'gzip'

/** Of a file's compressed copies. */
export const extensions: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' }

export interface InlineHashes {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

export interface ServerQuestion {
  readonly id: string
  readonly text: string
  /** The answer that keeps a visitor eligible. */
  readonly required: 'yes' | 'no'
}

/**
 * The server's own copy and questions, from the same build as the pages, so the two always match, even if content/ has
 * changed since then or is broken.
 */
export interface ServerCopy {
  /** By language, such as `es`. There is always `en`. */
  readonly languages: Readonly<Record<string, LanguageCopy>>
  /** For every language that agents call in, also if the site doesn't show it. */
  readonly calls: Readonly<Record<CallLanguage, CallCopy>>
  /** The paths of the pages with the form. */
  readonly formPages: readonly string[]
  /** By variant, in English or, if it has none, in another language. */
  readonly headlines: Readonly<Record<string, string>>
  /** The age range that every eligible visitor has confirmed. Null if no question asks about age. */
  readonly ages: AgeRange | null
  /** Dates on which nobody calls, besides holidays. */
  readonly closed: readonly string[]
}

export interface LanguageCopy {
  /** The consent as shown (domain/leads/as-presented.ts). Pages send its hash as the version. Empty: the form is off. */
  readonly consent: string
  /** Whether a review compared it with the English text in it. Missing from sites of older versions. */
  readonly isReviewedWithEnglish?: boolean
  /** The questions as asked (domain/leads/as-presented.ts). Pages send this hash too. */
  readonly questionnaire: string
  /** In the order they're asked. */
  readonly questions: readonly ServerQuestion[]
  readonly contactMessages: ContactMessages
  /** With {} for the domain of a corrected email address. */
  readonly didYouMean: string
  /** The error next to an unanswered question. */
  readonly unanswered: string
  /** The error if someone asks us to stop contacting them without saying whom. */
  readonly nothingToStop: string
  readonly letter: VisitorLetterCopy
}

/** The letter to a visitor, that we have their request. {sender} and {day} are filled in when it's sent. */
export interface VisitorLetterCopy {
  readonly words: Readonly<Record<'subject' | 'greeting' | 'received' | 'number' | 'reach' | 'stop', string>>
  /** As in the words, for links. */
  readonly phone: string
  /** When the office calls people back, and how to say by when, with {day}. Null if it doesn't say. */
  readonly callback: (Office & { readonly text: string }) | null
}

/** What agents say and ask. */
export interface CallCopy {
  readonly words: CallWords
  /** Filled in by the desk, because they may expire before the site is published again. */
  readonly figures: Readonly<Record<string, SpokenFigure>>
  /** The spoken consent: whether a review compared it with the English one. */
  readonly isReviewedWithEnglish?: boolean
  readonly questionnaire: QuestionnaireText
}

interface SpokenFigure {
  readonly text: string
  /** The last valid day, or null. */
  readonly until: string | null
  /** What agents say from then on. Null: the same. */
  readonly expired: string | null
}

/** {agent}, {person}, {date}, {site}, and figures are filled in by the desk. */
export interface CallWords {
  readonly opening: string
  readonly reason: string
  readonly spokenReason: string
  readonly voicemail: string
  readonly greeting: string
  readonly stopped: string
  readonly otherLanguage: string
  readonly answers: readonly { readonly id: string; readonly question: string; readonly answer: string }[]
  readonly ourWebsite: string
  readonly spokenConsent: string
}

/** The copy in this language or, if the site doesn't speak it, in English. */
export const copyIn = ({ languages }: Pick<ServerCopy, 'languages'>, language: string): LanguageCopy =>
  (Object.hasOwn(languages, language) ? languages[language] : languages[ENGLISH]) as LanguageCopy

/** The launch check's findings, for the server's alerts. */
export interface LaunchNotes {
  readonly points: readonly LaunchPoint[]
  /** Findings that someone has accepted (reviews.toml). */
  readonly justified: readonly string[]
  /** What is only good to know. Missing from sites of older versions. */
  readonly notes?: readonly LaunchNote[]
}

/** Which words, settings, and release a server has published, and when. */
export interface Publication {
  readonly at: string
  /** A hash of all of them. */
  readonly of: string
  /** The folder's, if it's a git repository. */
  readonly commit: string | null
  /** Otherwise, it's the original site. */
  readonly isFromFolder: boolean
}

export interface WentLive {
  readonly at: string
  readonly commit: string | null
  /** Of the texts that changed, such as `en.toml landing.hero.headline`. Empty if only pictures, settings, or the program did. */
  readonly changed: readonly string[]
}

/** Written beside the published sites. Errors are about the organization's folder, with file and line, or about the server. */
export interface PublishingStatus {
  readonly triedAt: string
  readonly errors: readonly string[]
  readonly held: readonly HeldText[]
  /** What went live, newest first. */
  readonly history: readonly WentLive[]
  /** While it's published. If that's still there at the next attempt, something stopped this one. */
  readonly isUnfinished?: boolean
}

export interface SiteManifest {
  readonly leadEndpoint: string
  readonly trustedForm: TrustedFormMode
  readonly copy: ServerCopy
  readonly launch: LaunchNotes
  /** Consents and legal pages as they were last reviewed, for the next site (site-folder/reviews.ts). */
  readonly reviewed: readonly ReviewedText[]
  /** Names of reviewed texts that aren't known here, so the form is off. Missing from sites of older versions. */
  readonly unknownTexts?: readonly string[]
  /** Null if it was built in a checkout. */
  readonly publication: Publication | null
  /** Paths that earlier sites had, which lead to another page now. */
  readonly formerPaths: readonly string[]
  readonly files: readonly SiteFile[]
}

/** A text of the site, for the desk: what it's called in its file, and what it says. A whole file has no name. */
export interface SiteText {
  readonly file: string
  /** As in `[landing.hero]`, or empty at the top of the file. */
  readonly section: string
  readonly name: string
  readonly original: string | null
  /** What the original said in the version whose originals the organization has seen, if that was something else. */
  readonly before: string | null
  /** The organization's, if its folder changes it. */
  readonly own: string | null
  /** What visitors read. Null if they don't. */
  readonly shown: string | null
}

export const MANIFEST_FILE = 'manifest.json'
export const STATUS_FILE = 'status.json'
export const TEXTS_FILE = 'texts.json'

/** Pages without a path, in each language. */
export const ownPageFiles = {
  notFound: 'not-found.html',
  error: 'error.html',
  /** The template for the no-JavaScript form, and the page shown when its lead can't be accepted. */
  plainForm: 'plain-form.html',
  submissionError: 'submission-error.html',
  /** The template for the stop form, and its answers. */
  stopForm: 'stop-form.html',
  stopDone: 'stop-done.html',
  stopError: 'stop-error.html',
} as const
