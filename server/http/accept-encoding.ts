/** Which of our encodings a browser takes, by its Accept-Encoding header. */
import type { Representation } from './load-site.ts'

type Encoded = Pick<Representation, 'encoding'>

/** Browsers send a handful of them; beyond this, somebody makes them up. */
const MOST_REMEMBERED = 100

const remembered = new Map<string, Weights>()

type Weights = ReadonlyMap<string, number>

/** The first that is acceptable, of what is sorted by size. Plain bytes are the answer when the header rules everything out. */
export function chooseEncoded<Choice extends Encoded>(choices: readonly Choice[], header = ''): Choice {
  const weights = weightsIn(header)
  const chosen =
    choices.find(({ encoding }) => encoding !== 'identity' && (weights.get(encoding) ?? weights.get('*') ?? 0) > 0) ??
    choices.find(({ encoding }) => encoding === 'identity')
  if (!chosen) throw new Error('Every file has its plain bytes.')
  return chosen
}

function weightsIn(header: string): Weights {
  let weights = remembered.get(header)
  if (weights === undefined) {
    weights = parseWeights(header)
    if (remembered.size === MOST_REMEMBERED) remembered.clear()
    remembered.set(header, weights)
  }
  return weights
}

function parseWeights(header: string): Weights {
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
