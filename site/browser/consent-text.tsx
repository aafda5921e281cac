/**
 * The consent text, and the line above the button that announces it. The text is shown with the markup that TrustedForm uses to find it and the
 * advertiser's name. Neither the markup nor the paragraph breaks add characters to it, because its hash proves what the visitor saw.
 */

import { Fragment } from 'react'
import type { ConsentCopy, PageLink } from '../../site-folder/types.ts'
import { PhoneOnOneLine } from '../components/phone-on-one-line.tsx'

interface ConsentNoticeProps extends Pick<ConsentCopy, 'notice'> {
  /** The part of it that's a link to the text. Left out if the text is folded. */
  readonly noticeLink?: string
}

/** Describes the button (`aria-describedby`). On a small screen, the text below the button is out of sight. */
export function ConsentNotice({ notice, noticeLink }: ConsentNoticeProps) {
  const links = noticeLink === undefined ? [] : [{ text: noticeLink, href: '#consent' }]
  return (
    <p id="notice" className="pb-3 text-note leading-tight">
      <Linked text={notice} links={links} />
    </p>
  )
}

interface ConsentTextProps extends Pick<ConsentCopy, 'paragraphs' | 'links'> {
  readonly advertiser: string
  /** The phone number as it appears in the text. */
  readonly phone: string
}

export function ConsentText({ paragraphs, advertiser, phone, links }: ConsentTextProps) {
  const firstMention = paragraphs.findIndex(paragraph => paragraph.includes(advertiser))
  return (
    <p id="consent" className="pt-4 text-note" data-tf-element-role="consent-language">
      {paragraphs.map((paragraph, index) => {
        const [before = '', ...after] = index === firstMention ? paragraph.split(advertiser) : [paragraph]
        return (
          <Fragment key={paragraph}>
            {index > 0 && ' '}
            {index > 0 && <span className="paragraph-break" />}
            <Linked text={before} links={links} phone={phone} />
            {after.length > 0 && <span data-tf-element-role="consent-advertiser-name">{advertiser}</span>}
            <Linked text={after.join(advertiser)} links={links} phone={phone} />
          </Fragment>
        )
      })}
    </p>
  )
}

interface LinkedProps {
  readonly text: string
  /** Each where the text first mentions it, if it has a URL. */
  readonly links: readonly PageLink[]
  readonly phone?: string
}

function Linked({ text, links, phone = '' }: LinkedProps) {
  const link = links.find(each => each.href !== null && text.includes(each.text))
  if (!link?.href) return <PhoneOnOneLine text={text} phone={phone} />
  const [before = '', ...after] = text.split(link.text)
  const others = { links: links.filter(each => each !== link), phone }
  return (
    <>
      <Linked text={before} {...others} />
      <a href={link.href} className="py-3.5 underline underline-offset-4">
        {link.text}
      </a>
      <Linked text={after.join(link.text)} {...others} />
    </>
  )
}
