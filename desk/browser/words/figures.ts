/** Numbers as people read them. */

export const figure = (count: number) => count.toLocaleString('en-US')

export const counted = (count: number, one: string, many = `${one}s`) => `${figure(count)} ${count === 1 ? one : many}`

export function percent(share: number): string {
  const points = share * 100
  return `${points >= 10 || points === 0 ? Math.round(points) : points.toFixed(1)} %`
}
