/** Words of the form that works without JavaScript, and of the page that shows it again with what is missing. */
import { organization } from './organization.ts'

export const plainForm = {
  questionsHeading: 'Six questions',
  contactHeading: 'How we reach you',
  /** Shown in the empty field by browsers without a date picker only. */
  dateHint: 'MM/DD/YYYY',
  unanswered: 'Please answer this question',
  problem: {
    title: `Error: please check your answers | ${organization.name}`,
    description: 'Something is missing in the form.',
    heading: 'There is a problem',
    lead: 'Nothing is lost: what you entered is below. Please correct the following and press the button again.',
  },
} as const

export const submissionError = {
  title: `Submission Error | ${organization.name}`,
  description: 'The form could not be sent.',
  heading: 'Submission Error',
  text: 'There was a problem submitting your information. Please try again.',
  help: 'Go back in your browser: what you entered is still there.',
  home: 'Return to Home',
  callLead: 'Or call us, and we will take your details by phone:',
} as const
