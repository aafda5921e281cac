/** Which names a variant of a page may have: they stand in requests, in counts and in the operator's commands. */
export const VARIANT_NAME = /^[a-z0-9][a-z0-9-]{0,19}$/

/** What the page is called as it stands in content/, when there are variants beside it. */
export const ORIGINAL = 'original'
