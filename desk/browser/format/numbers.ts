/** Formats numbers. */

export const formatNumber = (count: number) => count.toLocaleString('en-US')

/** "1 lead", "1,200 leads" */
export const pluralize = (count: number, noun: string) => `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`

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
