import { Faq } from '../sections/faq.tsx'
import { Hero } from '../sections/hero.tsx'
import { HowItWorks } from '../sections/how-it-works.tsx'
import { LegalDisclaimer } from '../sections/legal-disclaimer.tsx'
import { PainPoints } from '../sections/pain-points.tsx'
import { SocialProof } from '../sections/social-proof.tsx'
import { Urgency } from '../sections/urgency.tsx'
import { WhoQualifies } from '../sections/who-qualifies.tsx'
import type { PageProps } from './page.ts'

export function LandingPage({ destination, assets }: PageProps) {
  return (
    <>
      <Hero destination={destination} />
      <SocialProof />
      <WhoQualifies />
      <HowItWorks />
      <PainPoints assets={assets} />
      <Urgency />
      <Faq />
      <LegalDisclaimer />
    </>
  )
}
