/**
 * The consent text, and the line above the button that announces it. The text is shown with the markup that TrustedForm uses to find it and the
 * advertiser's name. Neither the markup nor the paragraph breaks add characters to it, because its hash proves what the visitor saw.
 */
import { Fragment } from 'react'
import type { ConsentCopy } from '../../content/consent.ts'
import type { FooterLink } from '../../content/links.ts'
import { PhoneOnOneLine } from '../components/phone-on-one-line.tsx'

/** Describes the button (`aria-describedby`). On a small screen, the text below the button is out of sight. */
export function ConsentNotice({ notice, noticeLink }: Pick<ConsentCopy, 'notice' | 'noticeLink'>) {
  return (
    <p id="notice" className="pb-3 text-note leading-tight">
      <Linked text={notice} link={{ text: noticeLink, href: '#consent' }} />
    </p>
  )
}

interface ConsentTextProps extends Pick<ConsentCopy, 'paragraphs' | 'privacyPolicy'> {
  readonly advertiser: string
  /** The phone number as it appears in the text. */
  readonly phone: string
}

export function ConsentText({ paragraphs, advertiser, phone, privacyPolicy }: ConsentTextProps) {
  const firstMention = paragraphs.findIndex(paragraph => paragraph.includes(advertiser))
  return (
    <p id="consent" className="pt-4 text-note" data-tf-element-role="consent-language">
      {paragraphs.map((paragraph, index) => {
        const [before = '', ...after] = index === firstMention ? paragraph.split(advertiser) : [paragraph]
        return (
          <Fragment key={paragraph}>
            {index > 0 && ' '}
            {index > 0 && <span className="paragraph-break" />}
            <Linked text={before} link={privacyPolicy} phone={phone} />
            {after.length > 0 && <span data-tf-element-role="consent-advertiser-name">{advertiser}</span>}
            <Linked text={after.join(advertiser)} link={privacyPolicy} phone={phone} />
          </Fragment>
        )
      })}
    </p>
  )
}

interface LinkedProps {
  readonly text: string
  /** A link where the text mentions it, if it has a URL. */
  readonly link: FooterLink
  readonly phone?: string
}

function Linked({ text, link, phone = '' }: LinkedProps) {
  const [before = '', ...after] = link.href === null ? [text] : text.split(link.text)
  return (
    <>
      <PhoneOnOneLine text={before} phone={phone} />
      {link.href !== null && after.length > 0 && (
        <>
          <a href={link.href} className="py-3.5 underline underline-offset-4">
            {link.text}
          </a>
          <PhoneOnOneLine text={after.join(link.text)} phone={phone} />
        </>
      )}
    </>
  )
}
