/** Variants of a page: what they may be called in addresses, counts, and the operator's commands. */
export const VARIANT_NAME = /^[a-z0-9][a-z0-9-]{0,19}$/

/** The page as it is in content/, if it also has variants. */
export const ORIGINAL = 'original'

/** `/?variant=plain` shows that variant without counting the visit. */
export const VARIANT_PARAMETER = 'variant'

/** Recorded with a lead that was sent from such a preview, so that it counts for no variant. */
export const PREVIEW = 'preview:'
