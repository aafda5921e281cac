/**
 * The consent text, and the line above the button that announces it. The text is shown with the markup that TrustedForm uses to find it and the
 * advertiser's name. Neither the markup nor the paragraph breaks add characters to it, because its hash proves what the visitor saw.
 */

import { createElement, Fragment } from 'react'
import type { ConsentCopy, LinkedText, TextLink } from '../../site-folder/types.ts'
import { PhoneOnOneLine } from '../components/phone-on-one-line.tsx'

/** Describes the button (`aria-describedby`). On a small screen, the text below the button is out of sight. */
export function ConsentNotice({ above }: Pick<ConsentCopy, 'above'>) {
  return (
    <p id="notice" className="pb-3 text-note leading-tight">
      <Paragraphs texts={above} />
    </p>
  )
}

interface ConsentTextProps extends Pick<ConsentCopy, 'below'> {
  readonly advertiser: string
  /** The phone number as it appears in the text. */
  readonly phone: string
}

export function ConsentText({ below, ...marks }: ConsentTextProps) {
  return (
    <p id="consent" className="pt-4 text-note" data-tf-element-role="consent-language">
      <Paragraphs texts={below} {...marks} />
    </p>
  )
}

interface ParagraphsProps extends Partial<Pick<ConsentTextProps, 'advertiser' | 'phone'>> {
  readonly texts: readonly LinkedText[]
}

function Paragraphs({ texts, advertiser = '', phone = '' }: ParagraphsProps) {
  const paragraphs = texts.map(text => (typeof text === 'string' ? [text] : text))
  const isMention = (part: string | TextLink) =>
    advertiser !== '' && typeof part === 'string' && part.includes(advertiser)
  const first = paragraphs.findIndex(parts => parts.some(isMention))
  return paragraphs.map((parts, index) => {
    const mention = index === first ? parts.findIndex(isMention) : -1
    const shown = parts.map((part, place) => {
      if (typeof part !== 'string') return <ConsentLink {...part} />
      const [before = '', ...after] = place === mention ? part.split(advertiser) : [part]
      return (
        <>
          <PhoneOnOneLine text={before} phone={phone} />
          {after.length > 0 && <span data-tf-element-role="consent-advertiser-name">{advertiser}</span>}
          <PhoneOnOneLine text={after.join(advertiser)} phone={phone} />
        </>
      )
    })
    return (
      <Fragment key={JSON.stringify(parts)}>
        {index > 0 && ' '}
        {index > 0 && <span className="paragraph-break" />}
        {createElement(Fragment, null, ...shown)}
      </Fragment>
    )
  })
}

function ConsentLink({ text, href }: TextLink) {
  return (
    <a href={href} className="py-3.5 underline underline-offset-4">
      {text}
    </a>
  )
}
