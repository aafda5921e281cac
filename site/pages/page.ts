/** What a page is, and what it is given when it is rendered. */
import type { ReactNode } from 'react'
import type { FooterLink } from '../../content/links.ts'
import type { TrustedFormMode } from '../../domain/lead.ts'
import type { LeadDestination } from '../questionnaire/send-lead.ts'

/** The files that pages refer to, by their public paths. */
export interface SiteAssets {
  readonly mark: string
  readonly illustration: string
  readonly socialPreview: string
  readonly touchIcon: string
  readonly largeIcon: string
}

export interface PageProps {
  readonly destination: LeadDestination
  readonly trustedForm: TrustedFormMode
  readonly assets: SiteAssets
  readonly builtOn: Date
}

export interface Page {
  /** The address, or null for a page that the server answers with by itself. */
  readonly path: string | null
  readonly file: string
  readonly title: string
  readonly description: string
  readonly indexed: boolean
  readonly hasQuestionnaire: boolean
  /** The texts of the inline scripts that must be there before the page is, and of those that need the page. */
  readonly headScripts: readonly string[]
  readonly bodyScripts: readonly string[]
  /** A note for an inline script, as a data attribute of the body. */
  readonly note?: string
  readonly structuredData: readonly object[]
  readonly footerLinks: readonly FooterLink[]
  readonly footerNote?: string
  readonly Content: (props: PageProps) => ReactNode
}
