/** Numbers in sentences. */

export const formatNumber = (count: number) => count.toLocaleString('en-US')

/** "1 lead", "1,200 leads" */
export const pluralize = (count: number, one: string, many = `${one}s`) =>
  `${formatNumber(count)} ${count === 1 ? one : many}`
