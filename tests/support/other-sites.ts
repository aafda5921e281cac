/** Sites built with other settings than the one that ships. */
import { join } from 'node:path'

const folder = (name: string) => join(import.meta.dirname, '../..', name)

/** Sends leads straight to a webhook: the address is built into its pages, so the port is fixed. */
export const DIRECT_PORT = 34_217
export const DIRECT_DIST = folder('dist-direct')

/** Has its consent certified, on trial. */
export const TRUSTED_FORM_DIST = folder('dist-trusted-form')
