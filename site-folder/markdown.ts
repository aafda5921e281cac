/**
 * What a Markdown text says: headings, paragraphs, lists, bold, italics, and links, in order. That's what is reviewed and shown. What else
 * is in it is a mistake, so nothing is left out silently.
 */
import { marked } from 'marked'
import { parseFragment } from 'parse5'
import type { Block, Link, Part, Words } from '../domain/text/text-blocks.ts'

export interface Mistake {
  readonly line: number
  readonly message: string
}

export interface Parsed {
  readonly blocks: readonly Block[]
  readonly mistakes: readonly Mistake[]
  /** Of a block or a link. */
  lineOf(node: object): number
}

/** What we use of the parser's tokens. */
interface Token {
  readonly type: string
  readonly raw: string
  readonly tokens?: readonly Token[]
  readonly items?: readonly Token[]
  readonly depth?: number
  readonly href?: string
  readonly title?: string | null
  readonly text?: string
  readonly start?: number | ''
}

const SUPPORTED = 'headings, paragraphs, lists, bold, italics, and links'
const MOST_QUOTED = 60

export function parseMarkdown(text: string, supported = SUPPORTED): Parsed {
  const lines = new Map<object, number>()
  const mistakes: Mistake[] = []
  /** Where the search for the next token goes on. */
  let at = 0
  const line = () => text.slice(0, at).split('\n').length
  const report = (message: string) => mistakes.push({ line: line(), message })

  function reach({ raw }: Token): void {
    at = Math.max(at, text.indexOf(firstLine(raw), at))
  }
  const pass = ({ raw }: Token) => {
    at += firstLine(raw).length
  }
  function placed<Node extends object>(node: Node, found: number): Node {
    lines.set(node, found)
    return node
  }

  function blockOf(token: Token): readonly Block[] {
    reach(token)
    const found = line()
    const { type, depth: level = 1, start } = token
    switch (type) {
      case 'space':
        return []
      case 'heading':
        return [placed({ is: 'heading', level, words: wordsIn(token) }, found)]
      case 'paragraph':
        return [placed({ is: 'paragraph', words: wordsIn(token) }, found)]
      case 'text':
        return [placed({ is: 'line', words: wordsIn(token) }, found)]
      case 'list': {
        const items = (token.items ?? []).map(({ tokens = [] }) => tokens.flatMap(blockOf))
        return [placed({ is: 'list', start: typeof start === 'number' ? start : null, items }, found)]
      }
      default:
        return [{ is: 'paragraph', words: [unsupported(token)] }]
    }
  }

  const insideOf = ({ tokens = [] }: Token): Words => joined(tokens.flatMap(partsOf))
  const wordsIn = (token: Token): Words => trimmed(insideOf(token))

  function partsOf(token: Token): Words {
    reach(token)
    const { type, text: said = '' } = token
    if (type === 'text' || type === 'escape') {
      pass(token)
      return [type === 'escape' ? said : decodeEntities(said)]
    }
    if (type === 'br') return [{ is: 'br', words: [] }]
    if (type === 'strong' || type === 'em') return [{ is: type, words: insideOf(token) }]
    if (type !== 'link') return [unsupported(token)]
    if (token.title) report(`A link has no title. Leave out "${token.title}".`)
    const found = line()
    return [placed<Link>({ is: 'link', to: token.href ?? '', words: insideOf(token) }, found)]
  }

  function unsupported(token: Token): string {
    const what = /^<(?!!--)/.test(token.raw) ? 'HTML' : `“${firstLine(token.raw).slice(0, MOST_QUOTED)}”`
    report(`${what} isn’t supported. Use only ${supported}.`)
    pass(token)
    return token.raw
  }

  const tokens: readonly Token[] = marked.lexer(text)
  return { blocks: tokens.flatMap(blockOf), mistakes, lineOf: node => lines.get(node) ?? 1 }
}

const firstLine = (raw: string) => raw.trim().split('\n')[0] ?? ''

/** As browsers show it: spaces and line ends collapse. */
export function joined(parts: Words): Words {
  const all: Part[] = []
  for (const part of parts) {
    const before = all.at(-1)
    if (typeof part !== 'string') all.push(part)
    else if (typeof before === 'string') all[all.length - 1] = collapsed(before + part)
    else all.push(collapsed(part))
  }
  return all
}

const collapsed = (text: string) => text.replaceAll(/[ \t\n\r\f]+/g, ' ')

function trimmed(parts: Words): Words {
  const ends = parts.map((part, index) => {
    if (typeof part !== 'string') return part
    const start = index === 0 ? part.replace(/^ /, '') : part
    return index === parts.length - 1 ? start.replace(/ $/, '') : start
  })
  return ends.filter(part => part !== '')
}

/** Changes the words of every block, in order. */
export const mapWords = (blocks: readonly Block[], change: (words: Words) => Words): readonly Block[] =>
  blocks.map(block =>
    block.is === 'list'
      ? { ...block, items: block.items.map(item => mapWords(item, change)) }
      : { ...block, words: change(block.words) },
  )

/** So that a value with `*` or `_` in it stays what it is. */
export const escapeMarkdown = (value: string) => value.replaceAll(/[\\`*_[\]<>#&~|]/g, '\\$&')

/** Decodes entities such as `&sect;` and `&nbsp;`, which Markdown allows. */
function decodeEntities(text: string): string {
  return text.replaceAll(/&#?\w+;/g, name => {
    const [node] = parseFragment(name).childNodes
    const character = node && 'value' in node ? node.value : name
    // For an unknown name, browsers decode its longest known prefix.
    return character.endsWith(';') ? name : character
  })
}
