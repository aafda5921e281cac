/** The cells of one line of a pasted or exported table. */

interface TableFormat {
  readonly separators: string
  /** A comment starts with a # after a space: an address may contain one. */
  readonly hasComments?: boolean
}

/** None for an empty line. */
export function cellsOf(line: string, { separators, hasComments = false }: TableFormat): readonly string[] {
  const cells = ['']
  let isQuoted = false
  for (let index = 0; index < line.length; index++) {
    const character = line.charAt(index)
    if (character === '"') isQuoted = !isQuoted
    else if (isQuoted || !separators.includes(character)) {
      if (hasComments && !isQuoted && character === '#' && /^$|\s/.test(line.charAt(index - 1))) break
      cells[cells.length - 1] += character
    } else cells.push('')
  }
  const trimmed = cells.map(cell => cell.trim())
  return trimmed.every(cell => cell === '') ? [] : trimmed
}
