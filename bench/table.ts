/** Shared by all benchmarks: tables, verdicts, medians, and progress lines. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...lines.map(cells => (cells[column] ?? '').length)))
  const isNumeric = head.map((_, column) => rows.every(cells => /^(\d|$)/.test(cells[column] ?? '')))
  const pad = (cell: string, column: number) =>
    isNumeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
  for (const cells of [head, widths.map(width => '-'.repeat(width)), ...rows]) {
    console.log(
      `  ${head
        .map((_, column) => pad(cells[column] ?? '', column))
        .join('   ')
        .trimEnd()}`,
    )
  }
  console.log('')
}

export const verdict = (met: boolean) => (met ? 'met' : 'MISSED')

export function median(values: readonly number[]): number {
  const middle = values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]
  if (middle === undefined) throw new Error('No values to take the median of.')
  return middle
}

/** Prints to stderr, so stdout has only the tables. */
export function progress(step: string): void {
  process.stderr.write(`  … ${step}\n`)
}
