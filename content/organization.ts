/**
 * Who we are and how to reach us. Null or empty entries aren't shown. Enter only what is true.
 */
import type { InEachLanguage } from './languages.ts'

/** Arizona has no daylight saving time. Atlantic is Puerto Rico and the U.S. Virgin Islands. */
export type OfficeZone = 'Eastern' | 'Central' | 'Mountain' | 'Arizona' | 'Pacific' | 'Alaska' | 'Hawaii' | 'Atlantic'

export interface Callbacks {
  readonly hours: string
  readonly timeZone: OfficeZone
}

interface Organization {
  readonly name: string
  /** As shown to visitors: '833-243-2965'. In links, letters become the digits on their keys. */
  readonly phone: string
  /** An email address for visitors: 'help@example.org'. */
  readonly email: string | null
  /** When you answer the phone and make calls: { en: 'Monday to Friday, 9 a.m. to 6 p.m.', es: '…' }. */
  readonly hours: InEachLanguage | null
  /** The mailing address, line by line: ['100 Main Street', 'Springfield, IL 62701']. */
  readonly address: readonly string[] | null
  /**
   * When you call people back in each language, in your office's time: { hours: 'Mon-Fri 9:00-18:00', timeZone: 'Eastern' }. The
   * thank-you page in that language then says by when: "today before 6:00 PM Eastern". Federal holidays are left out. Enter only
   * what you keep.
   */
  readonly callbacks: InEachLanguage<Callbacks | null>
  /** Real people who may call a visitor. People with a photo (a file in content/pictures/) are shown near the form. */
  readonly people: readonly { readonly name: string; readonly role: InEachLanguage; readonly photo?: string }[]
  /** Issued by an agency or association: { en: 'Member of NOSSCR', es: 'Miembro de NOSSCR' }. */
  readonly credentials: readonly InEachLanguage[]
  /** Whether your outbound calls show the number above. If so, the pages say so and offer it as a contact to save. */
  readonly callsComeFromPhone: boolean
  /** Whether your team takes relay calls from people who are deaf or hard of hearing. If so, the pages say to dial 711 first. */
  readonly takesRelayCalls: boolean
}

export const organization: Organization = {
  name: 'SSDI Advocate',
  phone: '833-243-2965',
  email: null,
  hours: null,
  address: null,
  callbacks: { en: null, es: null },
  people: [],
  credentials: [],
  callsComeFromPhone: false,
  takesRelayCalls: false,
}
