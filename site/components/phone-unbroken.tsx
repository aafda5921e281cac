/** A text in which our number stays on one line: broken in two it is hard to read, and to dial. */
import { organization } from '../../content/organization.ts'

export function PhoneUnbroken({ text }: { text: string }) {
  const { shown } = organization.phone
  const [before, ...after] = text.split(shown)
  return (
    <>
      {before}
      {after.length > 0 && <span className="whitespace-nowrap">{shown}</span>}
      {after.join(shown)}
    </>
  )
}
