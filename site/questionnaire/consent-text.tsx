/**
 * The consent with the marks by which TrustedForm finds it: the text, and in it who is to be given the consent. The marks
 * add no letter: the hash of the text is the proof of what a visitor saw.
 */
export function ConsentText({ text, advertiser }: { readonly text: string; readonly advertiser: string }) {
  const [before, ...after] = text.split(advertiser)
  return (
    <p className="pt-4 text-note" data-tf-element-role="consent-language">
      {before}
      {after.length > 0 && <span data-tf-element-role="consent-advertiser-name">{advertiser}</span>}
      {after.join(advertiser)}
    </p>
  )
}
