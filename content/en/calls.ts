/** What your team says on the phone. */
import { organization } from '../organization.ts'
import type { CallWords } from '../types.ts'

export const calls = {
  /** Read to someone who never sent the form. Any change creates a new version, whose hash is stored with everyone who says yes. */
  spokenConsent: `May ${organization.name} call you at the phone number you gave me, with information about disability benefits? A person will call you: no automated calls, no texts, and no AI voice. You don't have to say yes to get our help, and you can tell us to stop at any time.`,
} as const satisfies CallWords
