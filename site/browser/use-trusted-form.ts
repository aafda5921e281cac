/**
 * TrustedForm independently certifies consent. Its script watches the contact form and puts the certificate's URL in a hidden
 * field. The script loads only with the form, and only if turned on.
 */
import { useEffect } from 'react'
import { CERTIFICATE_FIELD, type TrustedFormMode } from '../../domain/leads/lead.ts'

export function useTrustedForm(mode: TrustedFormMode): void {
  useEffect(() => {
    if (mode === 'off') return
    const query = new URLSearchParams({ field: CERTIFICATE_FIELD, use_tagged_consent: 'true' })
    if (mode === 'sandbox') query.set('sandbox', 'true')
    // A new URL each time: a cached script would return another visitor's certificate.
    query.set('l', `${Date.now()}${Math.random()}`)
    const script = document.createElement('script')
    script.async = true
    script.src = `https://api.trustedform.com/trustedform.js?${query}`
    document.head.append(script)
  }, [mode])
}
