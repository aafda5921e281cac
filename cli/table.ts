/** Rows in aligned columns. On a terminal the last column is cut at its edge, so that a row stays a line. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], columns?: number): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map(cells => (cells[column] ?? '').length)))
  const line = (cells: readonly string[]) => {
    const text = cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
    return columns !== undefined && text.length > columns ? `${text.slice(0, Math.max(1, columns - 1))}…` : text
  }
  return [head, ...rows].map(cells => `${line(cells)}\n`).join('')
}
