/** The big button that calls us. */
import { organization } from '../../content/organization.ts'
import { telHref } from '../../domain/phone.ts'
import { ButtonLink } from '../components/button.tsx'
import { PhoneUnbroken } from '../components/phone-unbroken.tsx'
import { Icon } from './icon.tsx'

interface CallLinkProps {
  readonly label?: string
  readonly look?: 'solid' | 'outlined'
  readonly className?: string
}

export function CallLink({ label = organization.phone, ...look }: CallLinkProps) {
  return (
    <ButtonLink href={telHref(organization.phone)} {...look}>
      <Icon name="phone" />
      <span>
        <PhoneUnbroken text={label} phone={organization.phone} />
      </span>
    </ButtonLink>
  )
}
