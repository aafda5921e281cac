/** Words of the questionnaire panel, apart from the questions themselves and the contact form. */
import { claims } from './claims.ts'

export const questionnaire = {
  progressStart: 'Start',
  percentComplete: (percent: number) => `${percent}% complete`,
  progressLabel: (step: number, total: number) => `Progress: step ${step} of ${total}`,
  place: (number: number, total: number) => `Question ${number} of ${total}`,
  yes: 'Yes',
  no: 'No',
  reassurance: `Free and ${claims.confidential.shown}`,
  startOver: 'Tapped the wrong answer? Start over',
  loading: 'Matching you with a qualified disability advocate…',
  preparingForm: 'One moment, please…',
  stillLoading: 'Still loading…',
  scriptMissing: {
    heading: "The rest of this check didn't load.",
    text: "Your connection may have dropped. Please reload the page, or call us and we'll go through it together.",
    form: 'Or fill out this form instead:',
  },
} as const
