/** Reads one text: checks it, fills it in, and finds its links. */

import { telHref } from '../domain/contact/phone.ts'
import { pathInLanguage } from '../domain/languages.ts'
import { NOT_UTF8 } from './files.ts'
import { fillIn } from './inserts.ts'
import { emptyOf, Hidden, inSection, last, type Path, type Reading, report, sectionOf, wrong } from './reading.ts'
import { type Kind, type LinkedText, plainOf, type Shape, type TextLink } from './schema/kinds.ts'
import { didYouMean } from './suggest.ts'
import { invisibleIn, markupIn } from './text-marks.ts'
import { isTable, type Node } from './toml.ts'

type TextShape = Extract<Shape, { is: 'text' }>

export function readText(shape: TextShape, kind: Kind<unknown>, node: Node, path: Path, reading: Reading): unknown {
  const name = last(path)
  const { value } = node
  if (typeof value !== 'string') {
    const problem =
      typeof value === 'number'
        ? `needs quotes: ${name} = "${value}"`
        : value === false && !shape.required
          ? `is hidden with an empty text: ${name} = ""`
          : isTable(value) && value['show'] && (path[0] === 'claims' || path[0] === 'figures')
            ? `is hidden in evidence.toml: [${path.join('.')}] show = false`
            : (shape.check?.('') ?? `must be a text in quotes: ${name} = "…"`)
    return wrong(node, path, reading, problem, emptyOf(kind))
  }
  if (value.includes('\uFFFD')) report(reading, node.at, NOT_UTF8)
  const unfit = invisibleIn(value) ?? markupIn(value)
  if (unfit !== null) report(reading, node.at, `${name}${inSection(path)}: ${unfit}`)
  const written = value.replaceAll(/\s*\n\s*/g, ' ')
  if (written.trim() === '') {
    if (shape.required && !kind.optional) return wrong(node, path, reading, 'can’t be empty.', emptyOf(kind))
    return kind.canHide || kind.optional ? new Hidden(node.at, null) : ''
  }
  const { text, hidden, problems } = fillIn(written, reading.inserts, shape.later)
  for (const problem of problems) report(reading, node.at, `${name}${inSection(path)}: ${problem}`)
  if (hidden !== null) {
    if (!shape.required && !kind.canHide) return ''
    if (reading.canHide) return new Hidden(node.at, hidden)
    const without = `[${sectionOf(path)}] ${name} = "…"`
    return wrong(node, path, reading, `inserts {${hidden}}, which is hidden. Type words without it: ${without}`, '')
  }
  const problem = shape.check?.(text) ?? null
  if (problem !== null) return wrong(node, path, reading, `${problem}`, text)
  const parts = partsOf(text, shape, node, path, reading)
  reading.texts.push({
    ...node.at,
    name: path.join('.'),
    language: reading.language,
    text: plainOf(parts).replaceAll(/\s+/g, ' ').trim(),
  })
  return shape.links === 'only' ? (typeof parts === 'string' ? emptyOf(kind) : parts[0]) : parts
}

const LINK = /\[([^\]]+)\]\(([^)\s]*)\)/g
const ADDRESS = /^(?:https:\/\/|mailto:|tel:)\S+$|^[/#](?![/\\])\S*$/

function partsOf(text: string, { links }: TextShape, node: Node, path: Path, reading: Reading): LinkedText {
  const name = last(path)
  const found = [...text.matchAll(LINK)]
  if (links === 'none') {
    if (found.length > 0)
      report(reading, node.at, `${name}${inSection(path)} can’t have links. Leave out ${found[0]?.[0]}.`)
    return text
  }
  if (links === 'only' && (found.length !== 1 || found[0]?.[0] !== text)) {
    report(reading, node.at, `${name}${inSection(path)} must be one link: ${name} = "[Text](https://…)"`)
    return text
  }
  if (found.length === 0) return text
  const parts: (string | TextLink)[] = []
  let end = 0
  for (const { 0: raw, 1: shown = '', 2: target = '', index } of found) {
    if (index > end) parts.push(text.slice(end, index))
    const href = hrefOf(target, node, path, reading)
    parts.push(href === null ? shown : { text: shown, href })
    end = index + raw.length
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}

function hrefOf(target: string, node: Node, path: Path, reading: Reading): string | null {
  if (Object.hasOwn(reading.links, target)) return reading.links[target] ?? null
  if (target === 'stop') return pathInLanguage(reading.language, '/stop')
  if (target === 'phone') return telHref(`${reading.inserts['phone']}`)
  if (ADDRESS.test(target)) return target
  const known = Object.keys(reading.links)
  report(
    reading,
    node.at,
    `${last(path)}${inSection(path)} has a link to “${target}”. A link leads to https://…, to a page of this site such as /stop, or to one of: ${known.join(', ')}.${didYouMean(target, known)}`,
  )
  return null
}
