/** A certificate for localhost, with its key. It is no secret: nothing but a test may trust it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

export const testCertificateFile = join(import.meta.dirname, 'for-tests-only.pem')

/** Key and certificate in one text: a server finds both in it, and a list of trusted certificates the latter. */
export const testCertificate = readFileSync(testCertificateFile, 'utf8')

/** From now on this process trusts it, until the function that this answers with is called. */
export function trustTestCertificate(): () => void {
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, testCertificate])
  return () => setDefaultCACertificates(trusted)
}
