/**
 * Keeps a phone number within text on one line if it fits, because a split number is hard to read and dial. With very large
 * text on a small phone, it wraps instead of being cut off.
 */
export function PhoneOnOneLine({ text, phone }: { text: string; phone: string }) {
  const [before, ...after] = phone ? text.split(phone) : [text]
  return (
    <>
      {before}
      {after.length > 0 && <span className="inline-block">{phone}</span>}
      {after.join(phone)}
    </>
  )
}
