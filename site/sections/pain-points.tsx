import { landing } from '../../content/landing.ts'
import { CallToAction } from '../components/button.tsx'
import { Cards } from '../components/cards.tsx'
import { Section } from '../components/section.tsx'
import type { PageProps } from '../pages/page.ts'
import { FORM_ANCHOR } from './form-anchor.ts'

export function PainPoints({ assets }: Pick<PageProps, 'assets'>) {
  const { heading, lead, points, cta } = landing.painPoints
  return (
    <Section id="pain-points" heading={heading}>
      <p className="max-w-[62ch] pt-4">{lead}</p>
      {/* Decoration here, told in words by the lead. */}
      <img
        src={assets.illustration}
        alt=""
        width="1200"
        height="630"
        loading="lazy"
        className="mt-8 h-auto w-full rounded-2xl md:aspect-[3/1] md:object-cover md:object-[50%_35%]"
      />
      <Cards items={points} />
      <CallToAction href={FORM_ANCHOR} className="mt-9">
        {cta}
      </CallToAction>
    </Section>
  )
}
