/**
 * Who we are and how to reach us. What is null or empty isn't shown. Fill in only what is true.
 */
interface Organization {
  readonly name: string
  readonly description: string
  /** As a visitor reads it: '833-243-2965'. Links dial it; letters count as the digit on their key. */
  readonly phone: string
  readonly callLabel: string
  /** Where visitors can write: 'help@example.org'. */
  readonly email: string | null
  /** When someone answers the phone and calls are made: 'Monday to Friday, 9 a.m. to 6 p.m. Eastern time'. */
  readonly hours: string | null
  /** The postal address, line by line: ['100 Main Street', 'Springfield, IL 62701']. */
  readonly address: readonly string[] | null
  /** Real people a visitor may hear from. Those with a photo, a file in content/pictures/, are shown near the form. */
  readonly people: readonly { readonly name: string; readonly role: string; readonly photo?: string }[]
  /** Granted by an authority or an association: 'Accredited Disability Representative, NOSSCR member'. */
  readonly credentials: readonly string[]
  /** Whether your outbound calls show the number above. Only then do pages say so. */
  readonly callsComeFromPhone: boolean
}

export const organization: Organization = {
  name: 'SSDI Advocate',
  description:
    "A private organization that helps people who can't work because of a disability apply for Social Security Disability Insurance.",
  phone: '833-243-2965',
  callLabel: 'Call Now',
  email: null,
  hours: null,
  address: null,
  people: [],
  credentials: [],
  callsComeFromPhone: false,
}
