/**
 * The site that pages are rendered from. The build puts the data of the site that it builds here (build/plugins.ts); everything else, such
 * as a test, gets the site as it's delivered.
 */
import { formatFinding } from './findings.ts'
import { readSite } from './read-site.ts'
import type { SiteData } from './types.ts'

const { data: read, findings } = readSite(null)
if (read === null) throw new Error(findings.map(formatFinding).join('\n'))

export const data: SiteData = read
