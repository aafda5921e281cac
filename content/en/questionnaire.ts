/** The panel's copy, with and without JavaScript, except for the questions and the contact form. */

import { organization } from '../organization.ts'
import type { PlainFormCopy, QuestionnaireCopy } from '../types.ts'
import { claims } from './claims.ts'
import { questionCount } from './questions.ts'

export const questionnaire = {
  progressStart: 'Start',
  percentComplete: (percent: number) => `${percent}% complete`,
  lastStep: 'Last step',
  progressLabel: (step: number, total: number) => `Progress: step ${step} of ${total}`,
  place: (number: number, total: number) => `Question ${number} of ${total}`,
  yes: 'Yes',
  no: 'No',
  reassurance: claims.confidential && `Free and ${claims.confidential}`,
  back: 'Back',
  startOver: 'Start over',
  /** While the visitor waits for the decline page. */
  wrongAnswer: 'Tapped the wrong answer? Go back',
  sent: {
    heading: 'We have your information',
    text: "You don't need to send it again. A disability advocate will call you.",
    link: 'What Happens Next?',
  },
  loading: 'Matching you with a qualified disability advocate…',
  stillLoading: 'Still loading…',
  scriptMissing: {
    call: `Call ${organization.phone}`,
    heading: "The rest of the questions didn't load.",
    text: "Your connection may have dropped. Please reload the page, or call us and we'll go through it together.",
    form: 'Or fill out this form instead:',
    /** On a static host, which has no plain form to fall back on. */
    withoutForm: "If the questions don't show up, please call us, and we'll go through them together:",
  },
} as const satisfies QuestionnaireCopy

/** The no-JavaScript form, and the page that redisplays it with errors. */
export const plainForm = {
  questionsHeading: `${questionCount.first} questions`,
  contactHeading: 'How we can reach you',
  callLanguage: null,
  unanswered: 'Please answer this question',
  problem: {
    title: `Error: please check your answers | ${organization.name}`,
    description: 'Something in the form is missing or needs to be corrected.',
    heading: "There's a problem",
    lead: 'What you entered is still below. Please fix the following, then press the button again.',
  },
} as const satisfies PlainFormCopy
