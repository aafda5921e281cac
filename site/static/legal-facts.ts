/** Values for `{{name}}` and the like in legal pages, as Markdown. Null: not filled in yet. */
import { organization } from '../../content/organization.ts'
import { tested } from '../../content/tested.ts'
import { telHref } from '../../domain/phone.ts'

const { name, phone, email, hours, address } = organization

export const legalFacts: Readonly<Record<string, string | null>> = {
  name,
  phone: `[${phone}](${telHref(phone)})`,
  email: email && `[${email}](mailto:${email})`,
  hours,
  address: address?.join(', ') ?? null,
  tested: tested.map(({ shows }) => `- ${shows}`).join('\n'),
}
