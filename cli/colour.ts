/** Colours, on a terminal only and unless NO_COLOR is set. They are never the only sign: the words say the same. */
import { styleText } from 'node:util'
import type { OutputStream } from './surroundings.ts'

export type Style = 'bold' | 'green' | 'yellow' | 'red' | 'dim'

export function styled(stream: OutputStream, style: Style, text: string): string {
  return styleText(style, text, { stream })
}
