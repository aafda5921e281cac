/** What a visitor agrees to, in the form that is hashed: a consent's version is the hash of this text. */
export function consentAsPresented({ text, button }: { readonly text: string; readonly button: string }): string {
  return JSON.stringify({ text, button })
}
