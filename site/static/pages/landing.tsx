/** The landing page: its sections from top to bottom. */
import { organization } from '../../../content/organization.ts'
import { ORIGINAL } from '../../../domain/variants.ts'
import firstPress from '../../browser/inline/first-press.ts?inline-script'
import oneOpen from '../../browser/inline/one-open.ts?inline-script'
import spaceKey from '../../browser/inline/space-key.ts?inline-script'
import { OrganizationDetails } from '../organization-details.tsx'
import { fileAt, organizationData, type Page, type PageTitle, plainPage, type SiteWords } from '../page.ts'
import { Faq, type FaqWords } from '../sections/faq.tsx'
import { Hero, type HeroWords } from '../sections/hero.tsx'
import { HowItWorks, type HowItWorksWords } from '../sections/how-it-works.tsx'
import { LegalDisclaimer, type LegalDisclaimerWords } from '../sections/legal-disclaimer.tsx'
import { PainPoints, type PainPointsWords } from '../sections/pain-points.tsx'
import { SocialProof, type SocialProofWords, type Testimonial } from '../sections/social-proof.tsx'
import { Urgency, type UrgencyWords } from '../sections/urgency.tsx'
import { WhoQualifies, type WhoQualifiesWords } from '../sections/who-qualifies.tsx'

export interface LandingWords extends PageTitle {
  readonly hero: HeroWords
  readonly socialProof: SocialProofWords
  readonly testimonials: readonly Testimonial[]
  readonly whoQualifies: WhoQualifiesWords
  readonly howItWorks: HowItWorksWords
  readonly painPoints: PainPointsWords
  readonly urgency: UrgencyWords
  readonly faq: FaqWords
  readonly disclaimer: LegalDisclaimerWords
}

/** The text of a variant's first screen. */
export interface HeadlineVariant extends Pick<HeroWords, 'headline' | 'lead'> {
  readonly name: string
}

/** Where the call-to-action links lead. */
const FORM_ID = 'qualification-form'
const toForm = `#${FORM_ID}`

export function landingPage(path: string, words: LandingWords, site: SiteWords): Page {
  return {
    ...plainPage(path, fileAt(path), words, site),
    indexed: true,
    hasQuestionnaire: true,
    headScripts: [firstPress, spaceKey, oneOpen],
    structuredData: [organizationData],
    render: props => (
      <>
        <Hero words={words.hero} site={site} formId={FORM_ID} path={path} {...props} />
        {/* Proof near the top, in one quiet line. */}
        <OrganizationDetails
          words={site.footer}
          hours={organization.hours}
          address={organization.address}
          credentials={organization.credentials}
          email={null}
          people={[]}
          className="flex flex-wrap justify-center gap-x-12 gap-y-1 border-y border-line bg-mist px-[20px] py-4 text-note"
        />
        <SocialProof words={words.socialProof} testimonials={words.testimonials} assets={props.assets} />
        <WhoQualifies words={words.whoQualifies} assets={props.assets} />
        <HowItWorks words={words.howItWorks} toForm={toForm} />
        <PainPoints words={words.painPoints} toForm={toForm} assets={props.assets} />
        <Urgency words={words.urgency} toForm={toForm} />
        <Faq words={words.faq} />
        <LegalDisclaimer words={words.disclaimer} />
      </>
    ),
  }
}

/** The page and its variants. A static host shows the first. */
export function landingPages(
  path: string,
  words: LandingWords,
  variants: readonly HeadlineVariant[],
  site: SiteWords,
): readonly Page[] {
  const original = landingPage(path, words, site)
  if (variants.length === 0) return [original]
  const others = variants.map(({ name, headline, lead }) => ({
    ...landingPage(path, { ...words, hero: { ...words.hero, headline, lead } }, site),
    file: `variants/${fileAt(path).replace('.html', '')}-${name}.html`,
    variant: name,
  }))
  return [{ ...original, variant: ORIGINAL }, ...others]
}

/** A page of `content/landing-pages.ts`: the landing page's text, with its own changes. */
export function anotherLandingPage(
  { path, ...changes }: { readonly path: string } & Readonly<Record<string, unknown>>,
  words: LandingWords,
  site: SiteWords,
): Page {
  const changed = Object.entries(changes).map(([section, change]) => {
    const before = words[section as keyof LandingWords]
    return [section, typeof change === 'object' && typeof before === 'object' ? { ...before, ...change } : change]
  })
  return { ...landingPage(path, { ...words, ...Object.fromEntries(changed) }, site), indexed: false }
}
