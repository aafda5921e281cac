import { Faq } from '../sections/faq.tsx'
import { Hero } from '../sections/hero.tsx'
import { HowItWorks } from '../sections/how-it-works.tsx'
import { LegalDisclaimer } from '../sections/legal-disclaimer.tsx'
import { PainPoints } from '../sections/pain-points.tsx'
import { SocialProof } from '../sections/social-proof.tsx'
import { Urgency } from '../sections/urgency.tsx'
import { WhoQualifies } from '../sections/who-qualifies.tsx'
import type { PageProps } from './page.ts'

export function LandingPage(props: PageProps) {
  return (
    <>
      <Hero {...props} />
      <SocialProof />
      <WhoQualifies />
      <HowItWorks />
      <PainPoints assets={props.assets} />
      <Urgency />
      <Faq />
      <LegalDisclaimer />
    </>
  )
}
