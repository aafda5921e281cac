/** Numbers as words in a sentence: “six”, and “Six” at its beginning. Beyond twelve they are written in figures. */
const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']

export function numberWords(number: number): { readonly inside: string; readonly first: string } {
  const inside = words[number] ?? String(number)
  return { inside, first: inside.charAt(0).toUpperCase() + inside.slice(1) }
}
