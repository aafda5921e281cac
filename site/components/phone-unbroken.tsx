/**
 * A text in which a phone number stays on one line, wherever it fits into one: broken in two it is hard to read, and to
 * dial. Where letters are twice as large on a small phone, it may break rather than be cut off.
 */
export function PhoneUnbroken({ text, phone }: { text: string; phone: string }) {
  const [before, ...after] = text.split(phone)
  return (
    <>
      {before}
      {after.length > 0 && <span className="inline-block">{phone}</span>}
      {after.join(phone)}
    </>
  )
}
