/** Words of the questionnaire panel, apart from the questions themselves and the contact form. */
export const questionnaire = {
  progressStart: 'Start',
  percentComplete: (percent: number) => `${percent}% complete`,
  progressLabel: (step: number, total: number) => `Progress: step ${step} of ${total}`,
  place: (number: number, total: number) => `Question ${number} of ${total}`,
  yes: 'Yes',
  no: 'No',
  reassurance: 'Free and 100% confidential',
  startOver: 'Pressed the wrong one? Start over',
  loading: 'Matching you with a qualified disability advocate…',
  preparingForm: 'One moment, please…',
  scriptMissing: {
    heading: 'The rest of this check did not arrive.',
    text: 'Your connection may have dropped. Please reload the page, or call us and we will go through it together.',
  },
} as const
