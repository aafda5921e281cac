/** The form that asks us to stop contacting someone, as its page and the server see it. */

export const STOP_PATH = '/stop'

export const STOP_FIELDS = ['phone', 'email'] as const
export type StopField = (typeof STOP_FIELDS)[number]
