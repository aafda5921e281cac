/** The list of files that the build writes and the server serves: `built/manifest.json`. */

import type { ContactMessages, TrustedFormMode } from '../../domain/lead.ts'
import type { AgeRange } from '../../domain/plausibility.ts'
import type { LaunchPoint } from '../../launch/findings.ts'

export interface SiteFile {
  /** The address, or null for a page that the server answers with by itself. */
  readonly path: string | null
  /** Where the bytes are, relative to the manifest; compressed copies end in .br and .gz. */
  readonly file: string
  readonly type: string
  readonly encodings: readonly Encoding[]
  /** The name changes with the content, so a browser may keep it for good. */
  readonly immutable: boolean
  /** A page with the questionnaire, which sends leads. */
  readonly sendsLeads?: boolean
  /** One of several that are dealt out at an address. The one that has a path is what is there without a server. */
  readonly variant?: { readonly of: string; readonly name: string }
  /** Hashes of the inline scripts and styles, for pages. */
  readonly inline?: InlineHashes
}

export type Encoding = 'br' | 'gzip'

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
 * What the server says and asks by itself, from the same build as the pages, so that the two never disagree: not even
 * while content/ has changed since, or is broken.
 */
export interface ServerWords {
  /** The consent as it is presented (domain/consent.ts): the version that pages send is its hash. */
  readonly consent: string
  /** The questions as they are asked (domain/questions-as-asked.ts), likewise. */
  readonly questionnaire: string
  /** As they are asked, in their order. */
  readonly questions: readonly ServerQuestion[]
  readonly contactMessages: ContactMessages
  /** Beside a question without an answer. */
  readonly unanswered: string
  /** The addresses of the pages with the form. */
  readonly formPages: readonly string[]
  /** The ages that every eligible visitor has confirmed; null when no question asks. */
  readonly ages: AgeRange | null
}

/** What the launch check found in the pages, for the server to say when it serves them to the public. */
export interface LaunchNotes {
  readonly points: readonly LaunchPoint[]
  /** The names of findings that somebody has taken responsibility for (content/claims.ts). */
  readonly justified: readonly string[]
}

export interface SiteManifest {
  readonly leadEndpoint: string
  readonly trustedForm: TrustedFormMode
  readonly words: ServerWords
  readonly launch: LaunchNotes
  readonly files: readonly SiteFile[]
}

export const MANIFEST_FILE = 'manifest.json'
export const NOT_FOUND_FILE = 'not-found.html'
export const ERROR_FILE = 'error.html'
export const PLAIN_FORM_FILE = 'plain-form.html'
export const SUBMISSION_ERROR_FILE = 'submission-error.html'
