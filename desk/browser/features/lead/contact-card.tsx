/** Contact details, with buttons to call and copy. */
import { useState } from 'react'
import { oneLine } from '../../../../domain/text/text.ts'
import type { Lead } from '../../client.ts'
import { bornOn } from '../../format/birth-date.ts'
import { fullName, truncate } from '../../format/names.tsx'
import { useHasRole, useSession } from '../../session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card, Fact, Facts } from '../../ui/card.tsx'
import { Copyable, CopyButton } from '../../ui/copy-button.tsx'
import { CorrectionDialog, Corrections } from './correction.tsx'

interface ContactCardProps {
  readonly lead: Lead
  /** The call's card has the number. One that the person no longer has is a fact among others. */
  readonly isCalled: boolean
}

export function ContactCard({ lead, isCalled }: ContactCardProps) {
  const { contact, doNotCall, state, replacedBy } = lead
  const { callList } = useSession()
  const isAgent = useHasRole('agent')
  const [isCorrecting, setCorrecting] = useState(false)
  if (!contact) {
    return (
      <Card title="Contact">
        <p>This person’s data was erased. The contact record is kept, minus personal data.</p>
      </Card>
    )
  }
  const isOnList = doNotCall.phone || doNotCall.email
  // One from 0.7.0 may have characters that make it look like another address.
  const email = truncate(oneLine(contact.email), 320)
  const at = email.indexOf('@') + 1
  const correct = (
    <Button className="-my-2 print:hidden" onClick={() => setCorrecting(true)}>
      Correct
    </Button>
  )
  return (
    <Card title="Contact" aside={isAgent && state !== 'repeat' ? correct : null}>
      {isCorrecting ? <CorrectionDialog lead={lead} contact={contact} onClose={() => setCorrecting(false)} /> : null}
      {isCalled || replacedBy !== null ? null : (
        <div className="mb-5 flex flex-wrap items-center gap-2">
          {/* With the call list on, people dial from the call's card, which checks the hours and records the call. */}
          {isOnList || callList ? (
            <p className="min-h-14 content-center text-title font-bold">{contact.phone}</p>
          ) : (
            <ButtonLink
              kind={state === 'held' || state === 'rejected' ? 'secondary' : 'primary'}
              href={contact.tel}
              className="min-h-14 px-5 text-title print:border-0 print:bg-transparent print:p-0 print:text-ink"
              icon="phone"
            >
              <span className="sr-only">Call </span>
              {contact.phone}
            </ButtonLink>
          )}
          <CopyButton text={contact.phone} what="the phone number" />
        </div>
      )}
      <Facts>
        <Fact name="Name">
          <Copyable text={fullName(contact)} what="the name">
            <bdi>{truncate(fullName(contact), 1000)}</bdi>
          </Copyable>
        </Fact>
        {replacedBy === null ? null : <Fact name="Old number">{contact.phone}</Fact>}
        <Fact name="Email">
          {email === '' ? (
            'Not given'
          ) : (
            <Copyable text={contact.email} what="the email address">
              <a href={mailtoHref(contact.email)} className="underline underline-offset-4">
                <bdi>
                  {email.slice(0, at)}
                  <wbr />
                  {email.slice(at)}
                </bdi>
              </a>
            </Copyable>
          )}
        </Fact>
        <Fact name="Date of birth">{bornOn(contact.dateOfBirth)}</Fact>
        {contact.optional.map(({ label, value }) => (
          <Fact key={label} name={label}>
            <bdi>{value}</bdi>
          </Fact>
        ))}
      </Facts>
      <Corrections lead={lead} />
    </Card>
  )
}

/** Anyone can submit `a@b.org?bcc=…` as their address. */
export const mailtoHref = (email: string) => `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`
