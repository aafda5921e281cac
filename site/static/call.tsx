/** The call button, and a card that contains it. */

import { telHref } from '../../domain/contact/phone.ts'
import { organization } from '../../site-folder/site.ts'
import type { CallCardCopy } from '../../site-folder/types.ts'
import { ButtonLink } from '../components/button.tsx'
import { PhoneOnOneLine } from '../components/phone-on-one-line.tsx'
import { Icon } from './icon.tsx'
import type { SiteCopy } from './page.ts'

interface CallLinkProps {
  readonly label?: string
  readonly look?: string
  readonly className?: string
}

export function CallLink({ label = organization.phone, ...look }: CallLinkProps) {
  return (
    <ButtonLink href={telHref(organization.phone)} {...look}>
      <Icon name="phone" className="size-6 magnified:hidden" />
      <span>
        <PhoneOnOneLine text={label} phone={organization.phone} />
      </span>
    </ButtonLink>
  )
}

interface CallCardProps {
  readonly copy: CallCardCopy
  readonly site: SiteCopy
  readonly level: 'h2' | 'h3'
}

/** Invites visitors to call: a reason, the number as a button, and the hours. */
export function CallCard({ copy: { heading, text, label }, site: { language, relay }, level: Heading }: CallCardProps) {
  const hours = organization.hours?.[language]
  return (
    <div className="self-start rounded-3xl bg-sage p-[20px] sm:p-7 print:bg-transparent print:p-0">
      <Heading className="text-title">{heading}</Heading>
      <p className="pt-2 pb-5">{text}</p>
      <CallLink label={label} className="w-full" />
      {relay && <p className="pt-3 text-note">{relay}</p>}
      {hours && <p className="pt-3 text-note">{hours}</p>}
    </div>
  )
}
