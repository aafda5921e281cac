/** Rows in aligned columns. On a terminal they fit its width, so that a row stays a line and every column is seen. */
import { cutToWidth, displayWidth, padToWidth } from './display-width.ts'

const GAP = '  '

export interface Column {
  readonly head: string
  /** May be cut to make room; its head is always whole. */
  readonly elastic?: true
}

export function table(columns: readonly Column[], rows: readonly (readonly string[])[], terminal?: number): string {
  const wanted = columns.map(({ head }, column) =>
    Math.max(displayWidth(head), ...rows.map(cells => displayWidth(cells[column] ?? ''))),
  )
  const widths = terminal === undefined ? wanted : fitted(columns, wanted, terminal)
  const line = (cells: readonly string[]) => {
    const text = cells
      .map((cell, column) => padToWidth(cutToWidth(cell, widths[column] ?? 0), widths[column] ?? 0))
      .join(GAP)
      .trimEnd()
    return `${terminal === undefined ? text : cutToWidth(text, Math.max(1, terminal))}\n`
  }
  return [columns.map(({ head }) => head), ...rows].map(line).join('')
}

/** Takes from the widest column that may be cut, a little at a time, until all fit or none can give any more. */
function fitted(columns: readonly Column[], wanted: readonly number[], terminal: number): readonly number[] {
  const widths = [...wanted]
  const room = terminal - GAP.length * (columns.length - 1)
  while (widths.reduce((sum, width) => sum + width, 0) > room) {
    const [widest] = columns
      .map(({ head, elastic }, column) => ({ column, spare: elastic ? (widths[column] ?? 0) - head.length : 0 }))
      .filter(({ spare }) => spare > 0)
      .sort((a, b) => (widths[b.column] ?? 0) - (widths[a.column] ?? 0))
    if (!widest) break
    widths[widest.column] = (widths[widest.column] ?? 0) - 1
  }
  return widths
}
