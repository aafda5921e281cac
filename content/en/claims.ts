/** What the site claims about its operator. Null hides a claim. content/claims.ts records the evidence for each claim. */
import type { Claims } from '../claims.ts'

export const claims: Claims = {
  confidential: '100% confidential',
  hipaaProtected: 'HIPAA-protected',
  secure: '100% Secure & HIPAA Compliant',
  rated: 'Rated by Thousands',
  fiveStars: '5 out of 5 stars',
}
