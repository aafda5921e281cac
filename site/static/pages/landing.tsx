/** The landing page's sections, from top to bottom. */

import { ORIGINAL } from '../../../domain/visits/variants.ts'
import { organization } from '../../../site-folder/site.ts'
import type { HeroCopy, LandingCopy } from '../../../site-folder/types.ts'
import beforeReact from '../../browser/inline/before-react.ts?inline-script'
import oneOpen from '../../browser/inline/one-open.ts?inline-script'
import spaceKey from '../../browser/inline/space-key.ts?inline-script'
import { OrganizationDetails } from '../organization-details.tsx'
import { fileAt, type Page, plainPage, type SiteCopy } from '../page.ts'
import { Faq } from '../sections/faq.tsx'
import { Hero } from '../sections/hero.tsx'
import { HowItWorks } from '../sections/how-it-works.tsx'
import { LegalDisclaimer } from '../sections/legal-disclaimer.tsx'
import { PainPoints } from '../sections/pain-points.tsx'
import { SocialProof, type Testimonial } from '../sections/social-proof.tsx'
import { Urgency } from '../sections/urgency.tsx'
import { WhoQualifies } from '../sections/who-qualifies.tsx'

export interface LandingPageCopy extends LandingCopy {
  readonly testimonials: readonly Testimonial[]
}

/** The text on a variant's first screen. */
export interface HeadlineVariant extends Pick<HeroCopy, 'headline' | 'lead'> {
  readonly name: string
}

/** The target of call-to-action links. */
const FORM_ID = 'qualification-form'
const toForm = `#${FORM_ID}`

export function landingPage(path: string, copy: LandingPageCopy, site: SiteCopy): Page {
  return {
    ...plainPage(path, fileAt(path), copy, site),
    indexed: true,
    hasQuestionnaire: true,
    hasCallButton: (copy.faq?.items ?? []).length > 0,
    headScripts: [beforeReact, spaceKey, oneOpen],
    render: props => (
      <>
        <Hero copy={copy.hero} site={site} formId={FORM_ID} path={path} {...props} />
        {/* Credentials near the top, on one unobtrusive line. */}
        <OrganizationDetails
          copy={site.footer}
          hours={organization.hours?.[site.language]}
          address={organization.address}
          credentials={organization.credentials.map(each => each[site.language])}
          className="flex flex-wrap justify-center gap-x-12 gap-y-1 border-y border-line bg-mist px-[20px] py-4 text-note"
        />
        {copy.socialProof && <SocialProof copy={copy.socialProof} testimonials={copy.testimonials} />}
        {copy.whoQualifies && <WhoQualifies copy={copy.whoQualifies} language={site.language} assets={props.assets} />}
        {copy.howItWorks && <HowItWorks copy={copy.howItWorks} toForm={toForm} />}
        {copy.painPoints && (
          <PainPoints copy={copy.painPoints} language={site.language} toForm={toForm} assets={props.assets} />
        )}
        {copy.urgency && <Urgency copy={copy.urgency} toForm={toForm} />}
        {copy.faq && <Faq copy={copy.faq} site={site} />}
        <LegalDisclaimer copy={copy.disclaimer} />
      </>
    ),
  }
}

/** The page and its variants. A static host serves only the original. */
export function landingPages(
  path: string,
  copy: LandingPageCopy,
  variants: readonly HeadlineVariant[],
  site: SiteCopy,
): readonly Page[] {
  const original = landingPage(path, copy, site)
  if (variants.length === 0) return [original]
  const others = variants.map(({ name, headline, lead }) => ({
    ...landingPage(path, { ...copy, hero: { ...copy.hero, headline, lead } }, site),
    file: `variants/${fileAt(path).replace('.html', '')}-${name}.html`,
    variant: name,
  }))
  return [{ ...original, variant: ORIGINAL }, ...others]
}

/** A campaign's page. Search engines don't list it, because most of its text is also on the home page. */
export const campaignLandingPage = (path: string, copy: LandingPageCopy, site: SiteCopy): Page => ({
  ...landingPage(path, copy, site),
  indexed: false,
})
