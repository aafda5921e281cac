/** What the site claims about its operator. content/claims.ts records the evidence for each claim. */
export const claims = {
  confidential: '100% confidential',
  hipaaProtected: 'HIPAA-protected',
  secure: '100% Secure & HIPAA Compliant',
  rated: 'Rated by Thousands',
  fiveStars: '5 out of 5 stars',
} as const
