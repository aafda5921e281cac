/** Who we are and how to reach us. What is null or empty is not shown: fill it in only with what is true. */
interface Organization {
  readonly name: string
  readonly description: string
  readonly phone: { readonly shown: string; readonly href: string }
  readonly callLabel: string
  /** When someone answers the phone and calls are made, as a visitor reads it: 'Monday to Friday, 9 a.m. to 6 p.m. Eastern time'. */
  readonly hours: string | null
  /** The postal address, line by line. */
  readonly address: readonly string[] | null
  /** Real people whom a visitor may hear from, each with what they do. */
  readonly people: readonly { readonly name: string; readonly role: string }[]
  /** Whether outbound calls show the toll-free number above. Only then may a page say so. */
  readonly callsComeFromPhone: boolean
}

export const organization: Organization = {
  name: 'SSDI Advocate',
  description:
    "A private organization that helps people who can't work because of a disability apply for Social Security Disability Insurance.",
  phone: { shown: '833-243-2965', href: 'tel:+18332432965' },
  callLabel: 'Call Now',
  hours: null,
  address: null,
  people: [],
  callsComeFromPhone: false,
}
