/** What a visitor agrees to, in the one form that is hashed: the version of a consent is the hash of this text. */
import { consent } from '../content/contact-form.ts'

export function consentAsPresented(): string {
  return JSON.stringify({ text: consent.text, button: consent.button })
}
