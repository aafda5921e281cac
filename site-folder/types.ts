/** The site's data: what the pages, the server, the desk, and the checks get. Plain JSON, without functions. */
import type { Language } from '../domain/languages.ts'
import type { HeldText, ReviewedText } from '../domain/text/text-blocks.ts'
import type { Consent } from './consent.ts'
import type { Places } from './findings.ts'
import type { LegalLinks } from './legal.ts'
import type { FoundText } from './reading.ts'
import type { Reviewable } from './reviews.ts'
import type { EvidenceFile, OrganizationFile, QuestionsFile, ReviewsFile } from './schema/facts.ts'
import type { InEachLanguage } from './schema/kinds.ts'
import type { claimNames, Texts } from './schema/texts.ts'

export type { Language } from '../domain/languages.ts'
export type { Consent, ConsentCopy, PageLink } from './consent.ts'
export type { LegalPage } from './legal.ts'
export type { FoundText } from './reading.ts'
export type { Callbacks, Color } from './schema/facts.ts'
export type { InEachLanguage, LinkedText, TextLink } from './schema/kinds.ts'

export interface Organization extends OrganizationFile {
  readonly legalName: string
}

export interface Figure extends NonNullable<EvidenceFile['figures'][string]> {
  readonly value: string
}

export interface Testimonial extends NonNullable<EvidenceFile['advertorialQuote']> {
  /** Where it is in evidence.toml. */
  readonly key: string
}

export type ClaimName = (typeof claimNames)[number]

export interface Words extends Omit<Texts, 'stop' | 'pages' | 'headlines' | 'shared' | 'calls'> {
  readonly stopContact: Texts['stop']
  /** For people who are deaf or hard of hearing. Null: we take no relay calls. */
  readonly relay: string | null
  readonly description: string
  readonly submissionFailedHelp: string
  readonly offlineHelp: string
  readonly consent: Consent
  readonly figures: Readonly<Record<string, string>>
  /** Null: hidden. */
  readonly claims: Readonly<Record<ClaimName, string | null>>
}

export type CallWords = Texts['calls'] & { readonly spokenConsent: string }

/** The copy of each page and section. */
export type LandingCopy = Texts['landing']
export type HeroCopy = LandingCopy['hero']
export type SocialProofCopy = NonNullable<LandingCopy['socialProof']>
export type WhoQualifiesCopy = NonNullable<LandingCopy['whoQualifies']>
export type HowItWorksCopy = NonNullable<LandingCopy['howItWorks']>
export type PainPointsCopy = NonNullable<LandingCopy['painPoints']>
export type UrgencyCopy = NonNullable<LandingCopy['urgency']>
export type FaqCopy = NonNullable<LandingCopy['faq']>
export type CallCardCopy = FaqCopy['call']
export type CardContent = WhoQualifiesCopy['rules'][number]
export type LegalDisclaimerCopy = LandingCopy['disclaimer']
export type AdvertorialCopy = Texts['advertorial']
export type ThankYouCopy = Texts['thankYou']
export type LetterTexts = Texts['letter']
export type CallbackCopy = ThankYouCopy['callback']
export type SayMoreCopy = ThankYouCopy['sayMore']
export type DeclineCopy = Texts['decline']
export type StopCopy = Texts['stop']
export type ProblemCopy = Texts['applicationError']
export type NotFoundCopy = Texts['notFound']
export type HeaderCopy = Texts['header']
export type FooterCopy = Texts['footer']
export type OrganizationDetailsCopy = Pick<
  FooterCopy,
  'hoursLabel' | 'addressLabel' | 'peopleLabel' | 'emailLabel' | 'credentialsLabel'
>
export type ToastsCopy = Texts['toasts']
export type QuestionnaireCopy = Texts['questionnaire']
export type PlainFormCopy = Texts['plainForm']
export type FieldCopy = Texts['contactForm']['fields'][keyof Texts['contactForm']['fields']]
export type PageMetadata = Pick<LandingCopy, 'title' | 'description'>

export interface SiteData extends LegalLinks {
  /** What organization.toml says. */
  readonly organization: Organization
  readonly ages: QuestionsFile['ages']
  readonly questions: readonly { readonly id: string; readonly required: 'yes' | 'no' }[]
  readonly figures: Readonly<Record<string, Figure>>
  /** The evidence for each claim that is shown. */
  readonly claims: Readonly<Partial<Record<ClaimName, string | null>>>
  readonly testimonials: readonly Testimonial[]
  readonly advertorialQuote: Testimonial | null
  /** The advertorial's date; null: always today's. */
  readonly publishedOn: string | null
  readonly headlineVariants: readonly ({
    readonly name: string
  } & InEachLanguage<{ readonly headline: string; readonly lead: string } | null>)[]
  readonly landingPages: readonly ({ readonly path: string } & InEachLanguage<LandingCopy | null>)[]
  readonly words: InEachLanguage<Words>
  readonly callWords: InEachLanguage<CallWords>
  readonly reviews: ReviewsFile
  /** The consents and legal pages in the organization's folder, by the name that reviews.toml has for them. */
  readonly reviewable: Readonly<Record<string, Reviewable>>
  readonly reviewed: readonly ReviewedText[]
  /** The consents in Spanish that say the same as the English ones, according to a review. */
  readonly reviewedTogether: readonly string[]
  /** Names of reviewed texts that can't be shown, because only an edit of them is known here. */
  readonly unknownTexts: readonly string[]
  /** Changes of reviewed texts that wait for a review. */
  readonly held: readonly HeldText[]
  /** Visitors get the phone number instead, because of an unknown text. */
  readonly formOff: readonly Language[]
  /** Of all texts in Spanish. */
  readonly spanishVersion: string
  /** Every text that visitors read, with its place. */
  readonly texts: readonly FoundText[]
  readonly places: Places
}
