import type { Language } from '../../../domain/languages.ts'
import { organization } from '../../../site-folder/site.ts'
import type { PainPointsCopy } from '../../../site-folder/types.ts'
import { CallToAction } from '../../components/button.tsx'
import type { PageProps } from '../page.ts'
import { Picture } from './picture.tsx'
import { Section, SectionHeading } from './section.tsx'

interface PainPointsProps extends Pick<PageProps, 'assets'> {
  readonly copy: PainPointsCopy
  readonly language: Language
  readonly toForm: string
}

export function PainPoints({ copy, language, toForm, assets }: PainPointsProps) {
  const { heading, lead, points, cta } = copy
  if (points.length === 0) return null
  return (
    <Section id="pain-points" columns="lg:grid-cols-2 lg:items-center">
      <Picture
        of="shoulder"
        assets={assets}
        alt={organization.pictures.shoulder.alt[language]}
        className="rounded-3xl bg-amber lg:order-last"
      />
      <div>
        <SectionHeading id="pain-points">{heading}</SectionHeading>
        <p className="max-w-[62ch] pt-4 text-lead lg:text-title">{lead}</p>
        {points.map(({ title, text }) => (
          <p key={title} className="max-w-[62ch] pt-4">
            <strong>{title}.</strong> {text}
          </p>
        ))}
        <CallToAction href={toForm} className="mt-8">
          {cta}
        </CallToAction>
      </div>
    </Section>
  )
}
