/** What a visitor agrees to, in the one form that is hashed: the version of a consent is the hash of this text. */
export function consentAsPresented({ text, button }: { readonly text: string; readonly button: string }): string {
  return JSON.stringify({ text, button })
}
