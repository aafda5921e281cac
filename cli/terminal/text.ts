/** Text for the terminal: counts, ages, sizes, campaigns, and tables. */
import { DAY, HOUR, MINUTE } from '../../domain/durations.ts'
import { formatNumber } from '../../domain/text/numbers.ts'
import { plain } from '../../server/export/plain-text.ts'
import type { OutputStream } from '../command.ts'

/** Short enough for a column: 45 s, 3 min, 5 h, 12 d. */
export function formatAge(ms: number): string {
  if (ms < MINUTE) return `${Math.max(0, Math.floor(ms / 1000))} s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)} h`
  return `${Math.floor(ms / DAY)} d`
}

export function formatSize(bytes: number): string {
  const megabytes = bytes / 1024 / 1024
  return megabytes < 1024 ? `${megabytes.toFixed(megabytes < 10 ? 1 : 0)} MB` : `${(megabytes / 1024).toFixed(1)} GB`
}

const GAP = '  '

/** Aligned columns, with numbers on the right. In a terminal, `shrinkable` columns are shortened until a row fits on one line. */
export function table(
  rows: readonly Readonly<Record<string, string | number>>[],
  { isTTY, columns: room = 80 }: OutputStream,
  shrinkable: readonly string[] = [],
): string {
  if (rows.length === 0) return ''
  const columns = Object.keys(rows[0] ?? {}).map(name => {
    const cells = rows.map(({ [name]: value = '' }) => (typeof value === 'number' ? formatNumber(value) : plain(value)))
    const width = Math.max(name.length, ...cells.map(cell => cell.length))
    const isNumber = cells.every(cell => /^(-|[\d.,]+%?)$/.test(cell))
    return { name, cells: [name.toUpperCase(), ...cells], width, isNumber }
  })
  const excess = columns.reduce((sum, { width }) => sum + width + GAP.length, -GAP.length - room)
  for (let taken = 0; isTTY && taken < excess; taken++) {
    const elastic = columns.filter(({ name, width }) => shrinkable.includes(name) && width > name.length)
    const [widest] = elastic.toSorted((a, b) => b.width - a.width)
    if (widest) widest.width--
  }
  const lines = [undefined, ...rows].map((_, line) =>
    columns.map(({ cells, width, isNumber }) => {
      const text = cells[line] ?? ''
      const shown = text.length > width ? `${text.slice(0, width - 1)}…` : text
      return isNumber ? shown.padStart(width) : shown.padEnd(width)
    }),
  )
  return lines.map(cells => `${cells.join(GAP).trimEnd()}\n`).join('')
}
