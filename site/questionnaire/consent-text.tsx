/**
 * The consent with the marks by which TrustedForm finds it: the text, and in it who is to be given the consent. Neither
 * the marks nor the paragraphs add a letter: the hash of the text is the proof of what a visitor saw.
 */
import { Fragment } from 'react'
import { PhoneUnbroken } from '../components/phone-unbroken.tsx'

interface ConsentTextProps {
  readonly paragraphs: readonly string[]
  readonly advertiser: string
}

export function ConsentText({ paragraphs, advertiser }: ConsentTextProps) {
  const naming = paragraphs.findIndex(paragraph => paragraph.includes(advertiser))
  return (
    <p className="pt-4 text-note" data-tf-element-role="consent-language">
      {paragraphs.map((paragraph, index) => {
        const [before = '', ...after] = index === naming ? paragraph.split(advertiser) : [paragraph]
        return (
          <Fragment key={paragraph}>
            {index > 0 && ' '}
            {index > 0 && <span className="paragraph-break" />}
            <PhoneUnbroken text={before} />
            {after.length > 0 && <span data-tf-element-role="consent-advertiser-name">{advertiser}</span>}
            <PhoneUnbroken text={after.join(advertiser)} />
          </Fragment>
        )
      })}
    </p>
  )
}
