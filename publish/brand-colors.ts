/** Shows our drawings in the organization's colors: green pictures on a blue site look like two brands. */
import type { Organization } from '../site-folder/types.ts'

type Colors = Organization['colors']

/** The original brand as it is in the drawings, and the shades between two of its colors. */
const brand = { '#1e6b4b': 'action', '#134a33': 'action-dark', '#dde9df': 'sage', '#14352c': 'ink' } as const
const shades: Readonly<Record<string, readonly [from: keyof Colors, to: keyof Colors, share: number]>> = {
  '#124a33': ['action-dark', 'action', 0],
  '#185a3f': ['action-dark', 'action', 0.5],
  '#3f8765': ['action', 'sage', 0.18],
  '#568a6c': ['action', 'sage', 0.25],
  '#6e9c80': ['action', 'sage', 0.39],
  '#8fb39b': ['action', 'sage', 0.57],
  '#a9c6b1': ['action', 'sage', 0.72],
  '#afc9b7': ['action', 'sage', 0.75],
  '#c3d8c9': ['action', 'sage', 0.86],
}

export function inBrandColors(drawing: string, colors: Colors): string {
  if (Object.entries(brand).every(([original, name]) => colors[name].toLowerCase() === original)) return drawing
  const shown: Readonly<Record<string, string>> = {
    ...Object.fromEntries(Object.entries(brand).map(([original, name]) => [original, colors[name]])),
    ...Object.fromEntries(
      Object.entries(shades).map(([original, [from, to, share]]) => [original, mix(colors[from], colors[to], share)]),
    ),
  }
  return drawing.replaceAll(/#[0-9a-f]{6}\b/gi, color => shown[color.toLowerCase()] ?? color)
}

function mix(from: string, to: string, share: number): string {
  const channels = [1, 3, 5].map(at => {
    const [low = 0, high = 0] = [from, to].map(color => Number.parseInt(color.slice(at, at + 2), 16))
    return Math.round(low + (high - low) * share)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${channels.join('')}`
}
