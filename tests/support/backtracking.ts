/**
 * Runs a regular expression the way a backtracking engine does, and counts its steps. Time can't tell a slow pattern from a busy machine;
 * steps can, and they grow with the length of the text in the same way.
 */

type Node =
  | { readonly kind: 'character'; readonly matches: (character: string) => boolean; readonly source: string }
  | { readonly kind: 'alternatives'; readonly options: readonly (readonly Node[])[]; readonly group: number | null }
  | { readonly kind: 'repeat'; readonly node: Node; readonly min: number; readonly max: number; readonly lazy: boolean }
  | { readonly kind: 'look'; readonly node: Node; readonly behind: boolean; readonly negative: boolean }
  | { readonly kind: 'edge'; readonly source: string }
  | { readonly kind: 'back'; readonly group: number }

class TooManySteps extends Error {}

/** An atom that isn't a group: an escape, a class, or a character. */
const ATOM =
  /\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[A-Za-z]|\\k<[^>]*>|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/uy
const QUANTIFIER = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})(\??)/y

function parse(source: string, flags: string): Node {
  let at = 0
  let groups = 0
  const names = new Map<string, number>()
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const found = pattern.exec(source)
    if (found) at = pattern.lastIndex
    return found
  }

  function alternatives(group: number | null): Node {
    const options: Node[][] = [[]]
    while (at < source.length && source[at] !== ')') {
      if (source[at] === '|') {
        at++
        options.push([])
      } else options.at(-1)?.push(quantified(atom()))
    }
    return { kind: 'alternatives', options, group }
  }

  function quantified(node: Node): Node {
    const found = take(QUANTIFIER)
    if (!found) return node
    const [, sign, least, comma, most, lazy] = found
    const [min, max] =
      sign === undefined
        ? [Number(least), comma ? Number(most || Number.POSITIVE_INFINITY) : Number(least)]
        : [sign === '+' ? 1 : 0, sign === '?' ? 1 : Number.POSITIVE_INFINITY]
    return { kind: 'repeat', node, min, max, lazy: lazy === '?' }
  }

  function atom(): Node {
    const open = take(/\((?:\?(?:<([A-Za-z]\w*)>|(<?[=!])|:))?/y)
    if (open) {
      const [text, name, look] = open
      const isGroup = text === '(' || name !== undefined
      const group = isGroup ? ++groups : null
      if (name !== undefined && group !== null) names.set(name, group)
      const node = alternatives(group)
      at++
      return look ? { kind: 'look', node, behind: look.startsWith('<'), negative: look.endsWith('!') } : node
    }
    const raw = take(ATOM)?.[0] ?? ''
    if (/^[\^$]$|^\\[bB]$/.test(raw)) return { kind: 'edge', source: raw }
    const back = /^\\([1-9])$|^\\k<(.*)>$/.exec(raw)
    if (back) return { kind: 'back', group: Number(back[1] ?? names.get(back[2] ?? '')) }
    const pattern = new RegExp(`^(?:${raw})$`, flags.replaceAll(/[gymd]/g, ''))
    return { kind: 'character', matches: character => pattern.test(character), source: raw }
  }

  return alternatives(null)
}

type Next = (at: number) => boolean

/** Steps to find all matches in the text. */
function countSteps(root: Node, flags: string, text: string, maxSteps: number): number {
  const step = flags.includes('u') || flags.includes('v') ? Array.from(text) : text.split('')
  const edges = new Map<string, RegExp>()
  const captured: string[] = []
  let steps = 0

  function edge(source: string, at: number): boolean {
    if (source === '^') return at === 0 || (flags.includes('m') && step[at - 1] === '\n')
    if (source === '$') return at === step.length || (flags.includes('m') && step[at] === '\n')
    const word = edges.get('w') ?? /\w/
    edges.set('w', word)
    const isBoundary = word.test(step[at - 1] ?? '') !== word.test(step[at] ?? '')
    return isBoundary === (source === '\\b')
  }

  function sequence(nodes: readonly Node[], index: number, at: number, next: Next): boolean {
    const node = nodes[index]
    return node ? run(node, at, after => sequence(nodes, index + 1, after, next)) : next(at)
  }

  function repeat(node: Extract<Node, { kind: 'repeat' }>, count: number, at: number, next: Next): boolean {
    const again = () =>
      count < node.max &&
      run(node.node, at, after => (after > at || count < node.min) && repeat(node, count + 1, after, next))
    const enough = () => count >= node.min && next(at)
    return node.lazy ? enough() || again() : again() || enough()
  }

  function run(node: Node, at: number, next: Next): boolean {
    if (++steps > maxSteps) throw new TooManySteps()
    switch (node.kind) {
      case 'character': {
        const character = step[at]
        return character !== undefined && node.matches(character) && next(at + 1)
      }
      case 'edge':
        return edge(node.source, at) && next(at)
      case 'alternatives':
        return node.options.some(option =>
          sequence(option, 0, at, after => {
            if (node.group !== null) captured[node.group] = step.slice(at, after).join('')
            return next(after)
          }),
        )
      case 'repeat':
        return repeat(node, 0, at, next)
      case 'look': {
        // Engines read what's behind backward, so only as far as it matches.
        const starts = node.behind ? Array.from({ length: Math.min(at, 4) + 1 }, (_, back) => at - back) : [at]
        const found = starts.some(start => run(node.node, start, end => !node.behind || end === at))
        return found !== node.negative && next(at)
      }
      case 'back': {
        const text = captured[node.group] ?? ''
        return step.slice(at, at + text.length).join('') === text && next(at + text.length)
      }
    }
  }

  for (let from = 0; from <= step.length; ) {
    let end = -1
    const isFound = run(root, from, after => {
      end = after
      return true
    })
    from = isFound && end > from ? end : from + 1
  }
  return steps
}

/** Characters that stand for what an atom matches. */
const CANDIDATES = [
  ...' a1x0.-+@/#,;:<>="\'()&%!?_~|\t\n',
  'A',
  'é',
  '\u00a0',
  '\u200b',
  '\u0001',
  '\u{1f600}',
  'ı',
  'λ',
]

function sampleOf(node: Node): string {
  switch (node.kind) {
    case 'character':
      return CANDIDATES.find(node.matches) ?? (/^\\?[\s\S]$/.test(node.source) ? node.source.slice(-1) : '')
    case 'alternatives':
      return (node.options[0] ?? []).map(sampleOf).join('')
    case 'repeat':
      return sampleOf(node.node).repeat(Math.max(node.min, 1))
    default:
      return ''
  }
}

/** Texts to repeat, each with what may come before it to get that far into the pattern. */
function pumpsOf(node: Node, before = ''): readonly (readonly [string, string])[] {
  if (node.kind === 'character')
    return CANDIDATES.filter(node.matches)
      .slice(0, 3)
      .map(text => [before, text] as const)
  if (node.kind === 'repeat') return [[before, sampleOf(node.node)], ...pumpsOf(node.node, before)]
  if (node.kind === 'look') return pumpsOf(node.node, before)
  if (node.kind !== 'alternatives') return []
  return node.options.flatMap(option => {
    let prefix = before
    return option.flatMap(each => {
      const pumps = pumpsOf(each, prefix)
      prefix += sampleOf(each)
      return pumps
    })
  })
}

/** The second is longer than any limit in a pattern, such as `{1,80}`, up to which steps may grow faster. */
const LENGTHS = [80, 400] as const
const MAX_STEPS = 2_000_000
/** Between 2 for a pattern whose steps grow with the text's length and 4 for one whose steps grow with its square. */
export const FAST = 3

/**
 * How many times as many steps a text of twice the length takes, at worst: 2 if they grow with its length, 4 if with its square.
 */
export function growthOf({ source, flags }: RegExp): { readonly growth: number; readonly text: string } {
  const root = parse(source, flags)
  const pumps = pumpsOf(root)
  const repeated = new Set(pumps.map(([, pump]) => pump).filter(pump => pump !== ''))
  const starts = new Set(['', '0', ...pumps.map(([before]) => before)])
  let worst = { growth: 0, text: '' }
  for (const [start, pump, end] of combinations(starts, repeated, ['', '\u0001', 'a', '0', '@', '"'])) {
    const stepsAt = (length: number) =>
      countSteps(root, flags, start + pump.repeat(Math.ceil(length / pump.length)) + end, MAX_STEPS)
    const growth = growthIn(stepsAt)
    if (growth > worst.growth) worst = { growth, text: `${start}${pump}…${end}` }
    if (growth > FAST) break
  }
  return worst
}

function growthIn(stepsAt: (length: number) => number): number {
  let growth = 0
  try {
    for (const length of LENGTHS) {
      growth = stepsAt(2 * length) / stepsAt(length)
      if (growth < FAST) break
    }
    return growth
  } catch (error) {
    if (error instanceof TooManySteps) return Number.POSITIVE_INFINITY
    throw error
  }
}

function* combinations(starts: Iterable<string>, pumps: Iterable<string>, ends: Iterable<string>) {
  for (const start of starts) for (const pump of pumps) for (const end of ends) yield [start, pump, end] as const
}
