/** The site that sends leads straight to a webhook: the address is built into its pages, so the port is fixed. */
import { join } from 'node:path'

export const DIRECT_PORT = 34_217
export const DIRECT_DIST = join(import.meta.dirname, '../../dist-direct')
