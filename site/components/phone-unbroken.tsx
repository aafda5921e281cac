/** A text in which a phone number stays on one line: broken in two it is hard to read, and to dial. */
export function PhoneUnbroken({ text, phone }: { text: string; phone: string }) {
  const [before, ...after] = text.split(phone)
  return (
    <>
      {before}
      {after.length > 0 && <span className="whitespace-nowrap">{phone}</span>}
      {after.join(phone)}
    </>
  )
}
