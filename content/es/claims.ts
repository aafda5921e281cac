/** What the site claims about its operator. Null hides a claim. content/claims.ts records the evidence for each claim. */
import type { Claims } from '../claims.ts'

export const claims: Claims = {
  confidential: '100% confidencial',
  hipaaProtected: 'protegida por la ley HIPAA',
  secure: 'Datos 100% seguros, conforme a la ley HIPAA',
  rated: 'Miles de personas han opinado sobre nuestro servicio',
  fiveStars: '5 de 5 estrellas',
}
