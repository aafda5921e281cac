/** Words of the form that works without JavaScript, and of the page that shows it again with what is missing. */
import { organization } from './organization.ts'
import { questionCount } from './questions.ts'

export const plainForm = {
  questionsHeading: `${questionCount.first} questions`,
  contactHeading: 'How we can reach you',
  unanswered: 'Please answer this question',
  problem: {
    title: `Error: please check your answers | ${organization.name}`,
    description: 'Something in the form is missing or needs a fix.',
    heading: "There's a problem",
    lead: 'Nothing is lost: what you entered is below. Please fix the following, then press the button again.',
  },
} as const

export const submissionError = {
  title: `Submission Error | ${organization.name}`,
  description: "The form couldn't be sent.",
  heading: 'Submission Error',
  text: 'There was a problem submitting your information. Please try again.',
  help: 'Go back in your browser. What you entered should still be there.',
  home: 'Return to Home',
  callLead: "Or call us, and we'll take your details by phone:",
} as const
