/** The palette's contrast: body text at least 7:1, other text 4.5:1, field borders 3:1. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync(new URL('./styles.css', import.meta.url), 'utf8')
const color = (name: string) => new RegExp(`--color-${name}: (#[0-9a-f]{6})`).exec(css)?.[1] ?? ''

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(color(one)), luminance(color(other))].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

test.each([
  ['ink', ['paper', 'card', 'sage', 'mist', 'amber', 'error-soft'], 7],
  ['ink-soft', ['paper', 'card', 'mist'], 7],
  ['action-dark', ['sage', 'mist', 'card', 'paper'], 7],
  ['card', ['action', 'action-dark', 'error', 'ink'], 4.5],
  ['error', ['card', 'error-soft'], 4.5],
  ['edge', ['card'], 3],
] as const)('%s on %j has a contrast of at least %d:1', (text, backgrounds, minimum) => {
  for (const background of backgrounds) expect(contrast(text, background), background).toBeGreaterThanOrEqual(minimum)
})
