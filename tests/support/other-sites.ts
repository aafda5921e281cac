/** Sites built with other settings than the one that ships. */
import { join } from 'node:path'

const folder = (name: string) => join(import.meta.dirname, '../../.cache/sites', name)

/** Sends leads straight to a webhook. */
export const DIRECT_ENDPOINT = 'http://webhook.example/hook?source=site'
export const DIRECT_SITE = folder('direct/built')

/** Has its consent certified, on trial. */
export const TRUSTED_FORM_SITE = folder('trusted-form/built')
