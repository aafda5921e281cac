import type { Language } from '../../../domain/languages.ts'
import { organization } from '../../../site-folder/site.ts'
import type { WhoQualifiesCopy } from '../../../site-folder/types.ts'
import { Icon } from '../icon.tsx'
import type { PageProps } from '../page.ts'
import { Picture } from './picture.tsx'
import { Section, SectionHeading } from './section.tsx'

interface WhoQualifiesProps extends Pick<PageProps, 'assets'> {
  readonly copy: WhoQualifiesCopy
  readonly language: Language
}

export function WhoQualifies({ copy, language, assets }: WhoQualifiesProps) {
  const { heading, lead, rules } = copy
  if (rules.length === 0) return null
  return (
    <Section id="who-qualifies" columns="lg:grid-cols-2 lg:items-center">
      <div>
        <SectionHeading id="who-qualifies">{heading}</SectionHeading>
        <p className="max-w-[62ch] pt-4">{lead}</p>
        <ul className="pt-6">
          {rules.map(({ title, text }) => (
            <li key={title} className="flex gap-4 border-t border-line py-5">
              <span className="grid size-9 shrink-0 place-items-center rounded-full bg-action text-card">
                <Icon name="check" className="size-5" />
              </span>
              <div className="max-w-[56ch]">
                <h3 className="text-title">{title}</h3>
                <p className="pt-1">{text}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
      <Picture
        of="papers"
        assets={assets}
        alt={organization.pictures.papers.alt[language]}
        className="rounded-3xl bg-amber"
      />
    </Section>
  )
}
