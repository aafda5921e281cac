/** Which of our encodings a browser takes, by its Accept-Encoding header. */
import type { Representation } from './load-site.ts'

/** The smallest representation that is acceptable. Plain bytes are the answer when the header rules everything out. */
export function chooseRepresentation(
  representations: readonly [Representation, ...Representation[]] | readonly Representation[],
  header: string | undefined,
): Representation {
  const weights = parseWeights(header ?? '')
  const chosen =
    representations.find(
      ({ encoding }) => encoding !== 'identity' && (weights.get(encoding) ?? weights.get('*') ?? 0) > 0,
    ) ?? representations.find(({ encoding }) => encoding === 'identity')
  if (!chosen) throw new Error('Every file has its plain bytes.')
  return chosen
}

function parseWeights(header: string): ReadonlyMap<string, number> {
  return new Map(
    header
      .toLowerCase()
      .split(',')
      .map(item => {
        const [name = '', ...parameters] = item.split(';').map(part => part.trim())
        const weight = parameters.find(parameter => parameter.startsWith('q='))?.slice(2)
        return [name, weight === undefined ? 1 : Number(weight)] as const
      })
      .filter(([name]) => name !== ''),
  )
}
