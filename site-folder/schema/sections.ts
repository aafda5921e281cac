/** In which sections of a file a name is known: for a name that someone put into the wrong one. */
import type { Kind } from './kinds.ts'

export function sectionsOf(fields: Readonly<Record<string, Kind<unknown>>>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  const visit = (inside: Readonly<Record<string, Kind<unknown>>>, path: readonly string[]) => {
    for (const [name, { shape }] of Object.entries(inside)) {
      found.set(name, [...(found.get(name) ?? []), path.length === 0 ? '' : `[${path.join('.')}]`])
      if (shape.is === 'group') visit(shape.fields, [...path, name])
      const item = shape.is === 'items' || shape.is === 'record' ? shape.item.shape : null
      if (item?.is === 'group' && path[0] !== 'pages')
        visit(item.fields, [...path, ...(name === 'items' ? [] : [name]), '…'])
    }
  }
  visit(fields, [])
  return found
}
