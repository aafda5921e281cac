/** The site that ships. Tests that import this wait until it's built. */
import { BUILT as folder } from '../../build/build.ts'
import { onDemand } from './on-demand.ts'

await onDemand('site')

export const BUILT = folder
