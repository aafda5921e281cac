/** “Did you mean …?” for unknown words. */
export function nearest(typed: string, known: readonly string[]): string | null {
  const byDistance = known
    .map(name => ({ name, distance: name.startsWith(typed) ? 1 : lettersApart(typed, name) }))
    .sort((a, b) => a.distance - b.distance)
  const best = byDistance[0]
  return best && best.distance <= Math.ceil(best.name.length / 3) ? best.name : null
}

/** Edit distance: letters added, dropped or changed. */
export function lettersApart(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= to.length; column++) {
      const changed = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
