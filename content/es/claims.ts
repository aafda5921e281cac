/** What the site claims about its operator. content/claims.ts records the evidence for each claim. */
import type { claims as english } from '../en/claims.ts'
import type { Translation } from '../languages.ts'

export const claims = {
  confidential: '100% confidencial',
  hipaaProtected: 'protegida por la ley HIPAA',
  secure: '100% protegido, según la ley HIPAA',
  rated: 'Miles de personas nos han evaluado',
  fiveStars: '5 de 5 estrellas',
} as const satisfies Translation<typeof english>
