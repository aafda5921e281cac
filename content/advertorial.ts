/**
 * The day the advertorial was published or last updated, as '2026-10-01'; shown in each language's own words. With null, the
 * article always shows today's date.
 */
export const publishedOn: string | null = null
