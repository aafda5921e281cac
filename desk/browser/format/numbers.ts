/** Shares and sizes. */

export function percent(share: number): string {
  const points = share * 100
  return `${points >= 10 || points === 0 ? Math.round(points) : points.toFixed(1)}%`
}

export function bytes(count: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  let value = count
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}
