import { CallToAction } from '../../components/button.tsx'
import type { PageProps } from '../page.ts'
import { type CardContent, Cards } from './cards.tsx'
import { Section } from './section.tsx'

export interface PainPointsWords {
  readonly heading: string
  readonly lead: string
  readonly points: readonly CardContent[]
  readonly cta: string
}

interface PainPointsProps extends Pick<PageProps, 'assets'> {
  readonly words: PainPointsWords
  readonly toForm: string
}

export function PainPoints({ words, toForm, assets }: PainPointsProps) {
  const { heading, lead, points, cta } = words
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
      <CallToAction href={toForm} className="mt-9">
        {cta}
      </CallToAction>
    </Section>
  )
}
