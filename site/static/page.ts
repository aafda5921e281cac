/** The page type, and the props that pages are rendered with. */

import type { ReactNode } from 'react'
import type { Language } from '../../domain/languages.ts'
import type { TrustedFormMode } from '../../domain/leads/lead.ts'
import type {
  FooterCopy,
  HeaderCopy,
  InEachLanguage,
  Organization,
  PageLink,
  PageMetadata,
  PlainFormCopy,
  QuestionnaireCopy,
} from '../../site-folder/types.ts'
import type { LeadDestination } from '../browser/send-lead.ts'

/** Shown by site/browser/inline/before-react.ts if React is late or can't be loaded. */
type ScriptProblemCopy = QuestionnaireCopy['scriptMissing'] & Pick<QuestionnaireCopy, 'stillLoading'>

export interface BuiltPicture {
  readonly src: string
  /** A photo's sizes. */
  readonly srcSet?: string
  readonly width: number
  readonly height: number
}

/** A logo can be a PNG, too. */
export const isDrawing = (path: string) => path.endsWith('.svg')

/** Public paths of the files that pages use. */
export interface SiteAssets {
  readonly mark: string
  readonly pictures: Readonly<Record<keyof Organization['pictures'], BuiltPicture>>
  /** Photos of people, by file name. */
  readonly photos: Readonly<Record<string, BuiltPicture>>
  readonly socialPreview: string
  readonly touchIcon: string
  readonly largeIcon: string
}

export interface PageProps {
  readonly destination: LeadDestination
  readonly trustedForm: TrustedFormMode
  readonly assets: SiteAssets
  readonly builtOn: Date
  /** The path of site/browser/say-more.ts. */
  readonly sayMoreScript: string
  /** Whether our server serves the pages and accepts the plain form. */
  readonly hasReceiver: boolean
}

/** Copy shared by all pages in one language. */
export interface SiteCopy {
  readonly language: Language
  /** Of the organization, for search engines. */
  readonly description: string
  readonly header: HeaderCopy
  readonly footer: FooterCopy
  /** Beside each page's main phone number. */
  readonly relay: string | null
  readonly scriptProblems: ScriptProblemCopy
  readonly footerLinks: readonly PageLink[]
  readonly plainForm: PlainFormCopy
  /** Links to the site in its other languages. */
  readonly otherLanguages: readonly LanguageLink[]
}

export interface LanguageLink {
  readonly language: Language
  /** In its own language. */
  readonly name: string
  readonly home: string
}

export interface Page {
  /** The path, or null for pages without a URL, such as error pages. */
  readonly path: string | null
  readonly file: string
  /** The variant's name, if this path has variants. */
  readonly variant?: string
  readonly copy: SiteCopy
  /** The paths of this page in each language that has it. */
  readonly translations?: Partial<InEachLanguage>
  readonly title: string
  readonly description: string
  readonly indexed: boolean
  readonly hasQuestionnaire: boolean
  /** Otherwise, the footer has the main phone number. */
  readonly hasCallButton: boolean
  /** With a plain header and footer, and without scripts (short-document.tsx). */
  readonly isShort?: true
  /** Inline scripts that run before the body is parsed, and scripts that run after. */
  readonly headScripts: readonly string[]
  readonly bodyScripts: readonly string[]
  /** A value for an inline script, passed in a data attribute on the body. */
  readonly note?: string
  readonly footerNote?: string
  readonly render: (props: PageProps) => ReactNode
}

/** Defaults: no script, not indexed by search engines. */
export function plainPage(
  path: string | null,
  file: string,
  { title, description }: PageMetadata,
  copy: SiteCopy,
): Omit<Page, 'render'> {
  return {
    path,
    file,
    copy,
    title,
    description,
    indexed: false,
    hasQuestionnaire: false,
    hasCallButton: false,
    headScripts: [],
    bodyScripts: [],
  }
}

/** The file for a path: `/` is index.html, `/thank-you` is thank-you.html, `/es/` is es/index.html. */
export const fileAt = (path: string) => `${path.slice(1)}${path.endsWith('/') ? 'index' : ''}.html`
