/** Where the landing page's call-to-action links lead. */
export const FORM_ID = 'qualification-form'
export const FORM_ANCHOR = `#${FORM_ID}`
