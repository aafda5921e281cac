/** The format of variant names, which appear in URLs, counts, and commands. */
export const VARIANT_NAME = /^[a-z0-9][a-z0-9-]{0,19}$/

/** The name of the unchanged page, if it has variants. */
export const ORIGINAL = 'original'

/** `/?variant=plain` shows that variant without counting the visit. */
export const VARIANT_PARAMETER = 'variant'

/** Prefix of the variant recorded for a lead sent from a preview, so the lead doesn't count toward any variant. */
export const PREVIEW = 'preview:'
