/** Turns a few lines of HTML into the page that the launch check reads. */

import type { LaunchSettings } from '../../domain/launch/settings.ts'
import { type BuiltPage, parsePage } from '../../launch/page.ts'

export function builtPage(body: string, { path = '/' as string | null } = {}): BuiltPage {
  return parsePage(`<!doctype html><html lang="en"><head></head><body>${body}</body></html>`, {
    path,
    file: 'page.html',
  })
}

/** Formats findings as `code:subject`. */
export const named = (findings: readonly { readonly code: string; readonly subject: string }[]) =>
  findings.map(({ code, subject }) => `${code}:${subject}`)

/** Settings without launch blockers. */
export const readySettings: LaunchSettings = {
  siteUrl: 'https://www.acme.test',
  leadEndpoint: '/api/leads',
  webhookUrl: 'https://hooks.acme.test/leads',
  callList: false,
  alertUrl: 'https://hooks.acme.test/alerts',
  mailTo: [],
  trustedForm: 'on',
  trustProxy: ['127.0.0.1'],
  hasTimeZone: true,
  temporaryStore: null,
}
