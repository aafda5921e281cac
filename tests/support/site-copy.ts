/** The manifest's words for tests that need no built site. */
import { createServerCopy } from '../../site/static/server-copy.ts'

export const siteCopy = createServerCopy(['/'])
