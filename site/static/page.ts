/** What a page is, and what it gets when it is rendered. */
import type { ReactNode } from 'react'
import type { FooterLink } from '../../content/links.ts'
import { organization } from '../../content/organization.ts'
import type { Language } from '../../content/panel/panel-copy.ts'
import type { pictures } from '../../content/pictures.ts'
import type { TrustedFormMode } from '../../domain/lead.ts'
import { telHref } from '../../domain/phone.ts'
import type { LeadDestination } from '../browser/send-lead.ts'
import type { FooterCopy } from './footer.tsx'
import type { HeaderCopy } from './header.tsx'
import type { PlainFormCopy } from './plain-form.tsx'

/** Shown when React is late or can't be loaded, by site/browser/inline/first-press.ts. */
interface ScriptProblemCopy {
  readonly stillLoading: string
  readonly heading: string
  readonly text: string
  /** Above the plain form, which then takes the questionnaire's place. */
  readonly form: string
  /** Instead of the form, where no server could take it. */
  readonly withoutForm: string
}

export interface BuiltPicture {
  readonly src: string
  /** The sizes of a photo. */
  readonly srcSet?: string
  readonly width: number
  readonly height: number
}

/** The files that pages refer to, by their public paths. */
export interface SiteAssets {
  readonly mark: string
  readonly pictures: Readonly<Record<keyof typeof pictures, BuiltPicture>>
  /** Photos of people, by their files. */
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
  /** Whether our own server serves the pages and takes the plain form. */
  readonly hasReceiver: boolean
}

/** What all pages in one language share. */
export interface SiteCopy {
  readonly language: Language
  readonly header: HeaderCopy
  readonly footer: FooterCopy
  readonly scriptProblems: ScriptProblemCopy
  readonly footerLinks: readonly FooterLink[]
  readonly plainForm: PlainFormCopy
}

export interface Page {
  /** The path, or null for pages that the server uses as answers, such as errors. */
  readonly path: string | null
  readonly file: string
  /** Its name, if this path has variants. */
  readonly variant?: string
  readonly copy: SiteCopy
  readonly title: string
  readonly description: string
  readonly indexed: boolean
  readonly hasQuestionnaire: boolean
  /** Inline scripts that run before the body, and those that need it. */
  readonly headScripts: readonly string[]
  readonly bodyScripts: readonly string[]
  /** A value for an inline script, as a data attribute of the body. */
  readonly note?: string
  readonly structuredData: readonly object[]
  readonly footerNote?: string
  readonly render: (props: PageProps) => ReactNode
}

/** What every page's text has. */
export interface PageTitle {
  readonly title: string
  readonly description: string
}

/** Defaults: no script, not indexed by search engines. */
export function plainPage(
  path: string | null,
  file: string,
  { title, description }: PageTitle,
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
    headScripts: [],
    bodyScripts: [],
    structuredData: [],
  }
}

/** The file of a page that has an address: `/` is index.html, `/thank-you` is thank-you.html. */
export const fileAt = (path: string) => `${path.slice(1) || 'index'}.html`

/** Structured data for search engines (schema.org). Without FAQ answers, which they show for few sites. */
export const organizationData = {
  '@context': 'https://schema.org',
  '@type': 'Organization',
  name: organization.name,
  description: organization.description,
  telephone: telHref(organization.phone).replace('tel:', ''),
  ...(organization.address === null ? {} : { address: organization.address.join(', ') }),
  ...(organization.email === null ? {} : { email: organization.email }),
}
