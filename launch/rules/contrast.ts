/** Whether people can read the text: WCAG contrast of the colors that are shown together. */

import type { LaunchFinding } from '../../domain/launch/findings.ts'
import type { Color } from '../../site-folder/types.ts'

/** Text at least 7:1, because many visitors are over 60; text on buttons and errors 4.5:1; the borders of fields 3:1. */
const pairs: readonly (readonly [text: Color, backgrounds: readonly Color[], minimum: number])[] = [
  ['ink', ['paper', 'card', 'sage', 'mist', 'amber', 'error-soft'], 7],
  ['ink-soft', ['paper', 'card', 'mist'], 7],
  ['action-dark', ['sage', 'mist', 'card', 'paper'], 7],
  ['card', ['action', 'action-dark', 'error', 'ink'], 4.5],
  ['error', ['card', 'error-soft'], 4.5],
  ['edge', ['card'], 3],
]

export function contrastFindings(colors: Readonly<Record<Color, string>>): readonly LaunchFinding[] {
  return pairs.flatMap(([text, backgrounds, minimum]) =>
    backgrounds.flatMap((background): LaunchFinding[] => {
      const ratio = contrast(colors[text], colors[background])
      if (ratio >= minimum) return []
      // Rounded down: 4.49 isn't 4.5.
      const shown = Math.floor(ratio * 10) / 10
      const detail = `${text} on ${background} (${shown}:1, needs ${minimum}:1)`
      // `card` is the white that the others are seen on, so the other color is the one to change.
      const changed = text === 'card' ? background : text
      const change = { key: `organization.toml colors.${changed}` }
      return [{ code: 'low_contrast', subject: `${text} on ${background}`, detail, change }]
    }),
  )
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
