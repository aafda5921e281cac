/** Words that say why we call. That's for the person alone, not for everyone who picks up, plays a message, or sees a letter's subject. */

/** In English and Spanish. */
const PRIVATE = /disab|d?iscapaci|incapaci|\bSSDI?\b|social security|seguro social|benefi/i

export const privateWordIn = (text: string): string | null => PRIVATE.exec(text)?.[0] ?? null
