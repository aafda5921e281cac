/** What your team says on the phone. */
import { organization } from '../organization.ts'
import type { CallWords } from '../types.ts'

export const calls = {
  opening: 'Hello, my name is {agent}. May I speak with {name}, please?',
  reason: `I’m calling from ${organization.name}, a private organization. We’re not the government. On {date}, you asked us on {site} to call you about applying for disability benefits. Is this a good time?`,
  spokenReason: `I’m calling from ${organization.name}, a private organization. We’re not the government. When you called us on {date}, you said we could call you with information about disability benefits. Is this a good time?`,
  voicemail: `Hello, this is {agent}, with a message for {name}. Please call us back at ${organization.phone}. If you don’t want any more calls, tell us at the same number. Thank you.`,
  ourWebsite: 'our website',
  /** Read to someone who never sent the form. Any change creates a new version, whose hash is stored with everyone who says yes. */
  spokenConsent: `May ${organization.name} call you at the phone number you gave me, with information about disability benefits? A person will call you: no automated calls, no texts, and no AI voice. You don’t have to say yes to get our help, and you can tell us to stop at any time.`,
} as const satisfies CallWords
