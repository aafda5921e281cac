/**
 * The words that each page needs, in every language. A name that is missing or misspelled is reported in its own file.
 * `Removable` parts are hidden if they are null: sections, claims, and items in lists.
 */
import type { ContactErrorCode, ContactField } from '../domain/contact-fields.ts'
import type { StopField } from '../domain/stop.ts'
import type { LinkedText, TextLink } from './links.ts'
import type { OfficeZone } from './organization.ts'
import type { QuestionId } from './questions.ts'

export type Removable<Part> = Part | null
type List<Item> = readonly Removable<Item>[]

/** What browser tabs and search engines show. */
export interface PageMetadata {
  readonly title: string
  readonly description: string
}

/** A title and a sentence. */
export interface CardContent {
  readonly title: string
  readonly text: string
  readonly icon?: 'age' | 'bills' | 'condition' | 'income' | 'medicaid' | 'medicare' | 'process' | 'toll' | 'work'
}

export interface CallCardCopy {
  readonly heading: string
  readonly text: string
  readonly label: string
  readonly relay: Removable<string>
  readonly hours: string | null
}

export interface HeroCopy {
  readonly headline: string
  readonly lead: string
  readonly picture: { readonly alt: string }
  readonly panelTitle: string
  readonly note: string
  /** A promise that only repeats a claim is hidden with it. */
  readonly promises: List<{ readonly icon: 'no-fees' | 'confidential' | 'quick'; readonly text: Removable<string> }>
}

export interface SocialProofCopy {
  readonly heading: string
  readonly starsLabel: Removable<string>
  /** Shown as the heading and under it if all testimonials are samples. */
  readonly sampleHeading: string
  readonly sampleNote: string
  /** Shown with each sample if some testimonials are real. */
  readonly sampleLabel: string
}

export interface WhoQualifiesCopy {
  readonly heading: string
  readonly lead: string
  readonly picture: { readonly alt: string }
  readonly rules: List<CardContent>
}

export interface HowItWorksCopy {
  readonly heading: string
  readonly steps: List<CardContent>
  readonly cta: string
}

export interface PainPointsCopy {
  readonly heading: string
  readonly lead: string
  readonly picture: { readonly alt: string }
  readonly points: List<CardContent>
  readonly cta: string
}

export interface UrgencyCopy {
  readonly heading: string
  readonly lead: string
  readonly reasons: List<CardContent>
  readonly text: string
  readonly cta: string
}

export interface FaqCopy {
  readonly heading: string
  readonly items: List<{ readonly question: string; readonly answer: LinkedText }>
  readonly call: CallCardCopy
}

export interface LegalDisclaimerCopy {
  readonly heading: string
  readonly paragraphs: readonly string[]
}

export interface LandingCopy extends PageMetadata {
  readonly hero: HeroCopy
  readonly socialProof: Removable<SocialProofCopy>
  readonly whoQualifies: Removable<WhoQualifiesCopy>
  readonly howItWorks: Removable<HowItWorksCopy>
  readonly painPoints: Removable<PainPointsCopy>
  readonly urgency: Removable<UrgencyCopy>
  readonly faq: Removable<FaqCopy>
  readonly disclaimer: LegalDisclaimerCopy
}

interface HeadedText {
  readonly heading: string
  readonly paragraphs: List<string>
}

export interface AdvertorialCopy extends PageMetadata {
  readonly sponsoredLabel: string
  readonly sponsoredBy: string
  readonly headline: string
  readonly byline: string
  /** With {month}, {day}, and {year}. */
  readonly date: string
  readonly months: string
  readonly lead: string
  readonly illustration: Removable<{ readonly alt: string; readonly caption: string }>
  readonly earlyCta: string
  readonly contentsHeading: string
  readonly average: Removable<{ readonly figure: string; readonly label: string }>
  readonly callout: Removable<{ readonly heading: string; readonly text: string }>
  readonly ageAdvantage: Removable<HeadedText>
  readonly provides: Removable<{ readonly heading: string; readonly items: List<CardContent> }>
  /** Marks a sample quote. */
  readonly sampleNote: string
  readonly timing: Removable<HeadedText>
  readonly checkNow: { readonly heading: string; readonly text: string }
  readonly boxTitle: string
  readonly footerNote: string
}

export interface CallbackCopy {
  readonly today: (time: string) => string
  readonly tomorrow: (time: string) => string
  readonly later: (day: string, time: string) => string
  readonly time: (clock: string, zone: string) => string
  readonly zones: Readonly<Record<OfficeZone, string>>
}

/** In the tab that sent a lead. */
export interface SayMoreCopy {
  readonly heading: string
  readonly wrong: string
  readonly willCall: (phone: string) => string
  readonly label: string
  /** Unfolds the consent, which the visitor has seen before. */
  readonly consent: string
  readonly corrected: (phone: string) => string
  /** For everything that we refuse: it must not say why. */
  readonly refused: string
  readonly failed: string
  readonly timeHeading: string
  readonly timeHint: string
  /** Not a promise. */
  readonly saved: (time: string) => string
}

export interface ThankYouCopy extends PageMetadata {
  readonly badge: string
  readonly headline: string
  /** True for everyone who opens the page. */
  readonly lead: string
  /** Replaces the lead in the tab that sent one. */
  readonly sentLead: string
  readonly callback: CallbackCopy
  readonly number: { readonly before: string; readonly shown: string; readonly after: string }
  /** A link to a contact card, if your calls come from the number above. */
  readonly saveNumber: string
  readonly notADecision: string
  readonly callHint: string
  readonly callLabel: string
  readonly relay: Removable<string>
  readonly nextHeading: string
  readonly steps: List<CardContent>
  readonly keep: { readonly heading: string; readonly items: List<CardContent & { readonly link?: TextLink }> }
  readonly reminder: Removable<string>
  readonly reminderText: string
  readonly sayMore: SayMoreCopy
}

/** What a disqualifying answer means, as general information, with the official page. */
export interface DeclineReason {
  readonly title: string
  readonly text: string
  readonly link: TextLink
}

export interface DeclineCopy extends PageMetadata {
  readonly heading: string
  readonly lead: string
  readonly reasonsHeading: string
  readonly reasons: Readonly<Partial<Record<QuestionId, Removable<DeclineReason>>>>
  readonly programsHeading: string
  readonly programs: List<CardContent & { readonly link: { readonly text: string; readonly href: string } }>
  readonly external: string
  readonly next: { readonly heading: string; readonly items: List<LinkedText>; readonly again: string }
  readonly call: CallCardCopy
}

export interface ProblemCopy extends PageMetadata {
  readonly heading: string
  readonly text: string
  readonly help?: string
  readonly home: string
  readonly callLead: string
  readonly relay: Removable<string>
}

export interface StopCopy extends PageMetadata {
  readonly heading: string
  readonly lead: string
  readonly fields: Readonly<Record<StopField, string>>
  readonly button: string
  /** The error if neither was entered. */
  readonly missing: string
  readonly call: string
  readonly relay: Removable<string>
  readonly done: ProblemCopy
  readonly notRecorded: ProblemCopy
}

/** For the desk: what agents say. {agent}, {name}, {date}, and {site} are filled in there. */
export interface CallWords {
  /** First, to anyone who picks up. Why we call is nobody else's business, so the build refuses words such as “disability” here. */
  readonly opening: string
  /** Only once it's them: for whom and why we call. It must be true of everyone who sent the form. */
  readonly reason: string
  /** The same for people who called us and said yes on the phone. */
  readonly spokenReason: string
  /** Anyone may hear it, so the same words are refused. */
  readonly voicemail: string
  /** For {site}, if the site has no address yet. */
  readonly ourWebsite: string
  /** Asks for permission to call. It must say that there are no automated calls, texts, or AI voice. */
  readonly spokenConsent: string
}

export interface NotFoundCopy extends ProblemCopy {
  readonly consoleNote: string
}

export interface HeaderCopy {
  readonly skipLink: string
  readonly homeLabel: string
  readonly callLabel: string
  readonly languagesLabel: string
}

export interface OrganizationDetailsCopy {
  readonly hoursLabel: string
  readonly addressLabel: string
  readonly peopleLabel: string
  readonly emailLabel: string
  readonly credentialsLabel: string
}

export interface FooterCopy extends OrganizationDetailsCopy {
  readonly badges: Readonly<Record<'noFees' | 'secure' | 'rated', Removable<string>>>
  readonly badgesLabel: string
  readonly fiveStars: Removable<string>
  readonly callLead: string
  /** Only on pages without a call button. */
  readonly relay: Removable<string>
  readonly affiliation: string
  readonly notLegalAdvice: string
  readonly linksLabel: string
  readonly copyright: string
}

export interface QuestionnaireCopy {
  readonly progressStart: string
  readonly percentComplete: (percent: number) => string
  /** Before the percentage, on the contact form. */
  readonly lastStep: string
  readonly progressLabel: (step: number, total: number) => string
  readonly place: (number: number, total: number) => string
  readonly yes: string
  readonly no: string
  readonly reassurance: Removable<string>
  readonly back: string
  readonly startOver: string
  readonly wrongAnswer: string
  /** For a visitor who comes back after sending. */
  readonly sent: Readonly<Record<'heading' | 'text' | 'link', string>>
  readonly loading: string
  readonly stillLoading: string
  readonly scriptMissing: Readonly<Record<'heading' | 'text' | 'call' | 'form' | 'withoutForm', string>>
}

export interface PlainFormCopy {
  readonly questionsHeading: string
  readonly contactHeading: string
  /** In which language we call, if it isn't certain. */
  readonly callLanguage: Removable<string>
  readonly unanswered: string
  readonly problem: PageMetadata & { readonly heading: string; readonly lead: string }
}

/** The copy for one field. Every field in domain/contact-fields.ts needs it, or the project doesn't compile. */
export interface FieldCopy {
  readonly label: string
  /** Why we ask. */
  readonly why?: string
  readonly placeholder?: string
  /** Labels for a date's three boxes. */
  readonly parts?: Readonly<Record<'month' | 'day' | 'year', string>>
}

export interface ContactFormWords {
  readonly heading: string
  readonly lead: string
  readonly fields: Readonly<Record<ContactField, FieldCopy>>
  readonly optional: (label: string) => string
  readonly didYouMean: (domain: string) => string
  /** A link to the phone number, for someone without an email address. */
  readonly noEmail: string
  readonly noSocialSecurityNumber: string
  readonly submit: string
  readonly submitting: string
  readonly sending: string
  readonly back: string
  readonly clear: string
  readonly allRequired: string
  readonly errorTitlePrefix: string
}

export type ContactMessages = Readonly<Record<ContactErrorCode, string>>

export interface ToastsCopy {
  readonly incomplete: { readonly title: string; readonly text: string }
  readonly submissionFailed: { readonly title: string; readonly text: string }
  readonly dismiss: string
  readonly regionLabel: string
}
