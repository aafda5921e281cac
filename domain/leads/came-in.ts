/** How a lead came in. Never changes, unlike its state. */
export const waysIn = ['form', 'repeat', 'phone', 'correction'] as const
export type CameIn = (typeof waysIn)[number]

export const wayInNames: Readonly<Record<CameIn, string>> = {
  form: 'By form, first time',
  repeat: 'By form, again within 30 days',
  phone: 'By phone',
  correction: 'Corrected number',
}
