/** What the site claims about its operator. content/claims.ts records the evidence for each claim. */
import type { claims as english } from '../en/claims.ts'
import type { Translation } from '../languages.ts'

export const claims = {
  confidential: '100% confidencial',
  hipaaProtected: 'protegida por la ley HIPAA',
  secure: '100% seguro y conforme a la ley HIPAA',
  rated: 'Calificado por miles de personas',
  fiveStars: '5 de 5 estrellas',
} as const satisfies Translation<typeof english>
