/** Plain-text tables, with figures aligned to the right and missed bars marked. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...lines.map(cells => (cells[column] ?? '').length)))
  const figures = head.map((_, column) => rows.every(cells => /^(\d|$)/.test(cells[column] ?? '')))
  const print = (cells: readonly string[]) =>
    console.log(
      `  ${widths
        .map((width, column) => {
          const cell = cells[column] ?? ''
          return figures[column] ? cell.padStart(width) : cell.padEnd(width)
        })
        .join('   ')
        .trimEnd()}`,
    )
  print(head)
  print(widths.map(width => '-'.repeat(width)))
  for (const cells of rows) print(cells)
  console.log('')
}

export const verdict = (met: boolean) => (met ? 'met' : 'MISSED')
