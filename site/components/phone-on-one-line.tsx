/**
 * Keeps a phone number within text on one line, because a split number is hard to read and dial. The window's width limits
 * magnified text; on the very smallest, the number wraps instead of being cut off.
 */
export function PhoneOnOneLine({ text, phone }: { text: string; phone: string }) {
  const [before, ...after] = phone ? text.split(phone) : [text]
  return (
    <>
      {before}
      {after.length > 0 && <span className="tel">{phone}</span>}
      {after.join(phone)}
    </>
  )
}
