/** Tables as people paste and export them: rows of cells, and text that a spreadsheet must not take for a formula. */

interface TableFormat {
  readonly separators: string
  /** A comment starts with a # after a space: an address may contain one. */
  readonly hasComments?: boolean
}

interface Table {
  /** An empty line has no cells. */
  readonly rows: readonly (readonly string[])[]
  /** False: the last row has a quote that never ends, so it may contain others. */
  readonly isWhole: boolean
}

/** A quote counts at the start of a cell only. Quoted cells may contain separators, doubled quotes, and line breaks. */
export function readTable(text: string, { separators, hasComments = false }: TableFormat): Table {
  const rows: string[][] = []
  let cells = ['']
  /** Only blanks so far. */
  let isStart = true
  let isQuoted = false
  let isComment = false
  const endRow = () => {
    const trimmed = cells.map(cell => cell.trim())
    rows.push(trimmed.every(cell => cell === '') ? [] : trimmed)
    cells = ['']
    isStart = true
    isComment = false
  }
  const add = (character: string) => {
    cells[cells.length - 1] += character
  }
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    if (isQuoted) {
      if (character !== '"') add(character)
      else if (text.charAt(index + 1) === '"') add(text.charAt(++index))
      else isQuoted = false
    } else if (character === '\n') endRow()
    else if (isComment) continue
    else if (separators.includes(character)) {
      cells.push('')
      isStart = true
    } else if (isStart && character === '"') {
      isQuoted = true
      isStart = false
    } else if (hasComments && character === '#' && /^$|\s/.test(text.charAt(index - 1))) isComment = true
    else {
      add(character)
      isStart &&= /\s/.test(character)
    }
  }
  endRow()
  return { rows, isWhole: !isQuoted }
}

const FORMULA = /[=+\-@\t\r＝＋－＠]/
/** With the apostrophe, so what's escaped can be told from what had one. */
const BLANK = /[\s"']|\p{Default_Ignorable_Code_Point}/u
const CELL_END = /[,;\t\r\n]/

/**
 * Spreadsheets run cells that look like formulas, so we put an apostrophe in front. We do the same after a separator or line
 * break: if a spreadsheet splits at semicolons, our quotes end up in the middle of a cell and don't protect anything.
 */
export const escapeFormulas = (text: string): string => atFormulas(text, character => [character, "'"])

/** What was escaped, as it was. */
export const unescapeFormulas = (text: string): string =>
  atFormulas(text, character => (character === "'" ? [] : [character]))

/** `change`: the first character of what could be a formula, the blanks before it included; what it becomes, in reverse. */
function atFormulas(text: string, change: (first: string) => readonly string[]): string {
  if (!FORMULA.test(text)) return text
  const characters = [...text]
  const changed: string[] = []
  // From the end: whether only blanks come before a formula's first character. A pattern would look for it from each of them.
  let leadsToFormula = false
  for (let index = characters.length - 1; index >= 0; index--) {
    const character = characters[index] as string
    leadsToFormula = FORMULA.test(character) || (leadsToFormula && BLANK.test(character))
    const isFirst = leadsToFormula && CELL_END.test(characters[index - 1] ?? ',')
    changed.push(...(isFirst ? change(character) : [character]))
  }
  return changed.reverse().join('')
}
