/** The page where anyone can ask us to stop calling, texting, and emailing, and its two answers. */

import { organization } from '../organization.ts'
import type { StopCopy } from '../types.ts'
import { relay } from './shared.ts'

export const stopContact = {
  title: `Stop Calls and Messages | ${organization.name}`,
  description: 'Ask us to stop calling, texting, and emailing you.',
  heading: 'Stop Calls, Texts, and Emails',
  lead: "Enter your phone number, your email address, or both. We'll stop calling, texting, and emailing you. You don't have to say why.",
  fields: { phone: 'Phone number', email: 'Email address' },
  button: 'Stop Contacting Me',
  missing: 'Please enter a phone number or an email address',
  call: 'Or tell us on the phone:',
  relay,
  done: {
    title: `Request Recorded | ${organization.name}`,
    description: 'Your request is recorded.',
    heading: "Done. We'll stop contacting you.",
    text: 'Your request is recorded. A call or message that was already on its way may still reach you.',
    help: "If you gave us another number or email address, go back with your browser's Back button and enter that one, too.",
    home: 'Return to Home',
    callLead: 'If anyone still calls you on our behalf, or you change your mind, tell us:',
    relay,
  },
  notRecorded: {
    title: `Not Recorded | ${organization.name}`,
    description: "Your request wasn't recorded.",
    heading: 'Not recorded',
    text: "We couldn't record your request. Please call us, and we'll take care of it.",
    help: "Or use your browser's Back button and try again in a few minutes.",
    home: 'Return to Home',
    callLead: 'Our number:',
    relay,
  },
} as const satisfies StopCopy
