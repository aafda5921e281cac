/**
 * The desk in light has the public site's colors. The site's are written into its rules without variables, to save bytes,
 * and the desk's have a second value for the dark: so they stand in two files, and this holds them together.
 */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const colors = (file: string, value: RegExp) =>
  new Map(
    Array.from(
      readFileSync(new URL(file, import.meta.url), 'utf8').matchAll(
        new RegExp(`--color-([a-z-]+): ${value.source};`, 'g'),
      ),
      ([, name, color]) => [name, color],
    ),
  )

test('a color of the site is the same color at the desk, in light', () => {
  const site = colors('../../site/styles.css', /(#[0-9a-f]{6})/)
  const desk = colors('./styles.css', /light-dark\((#[0-9a-f]{6,8}), #[0-9a-f]{6,8}\)/)
  const shared = [...site].filter(([name]) => name !== 'action-dark')
  expect(shared.length).toBeGreaterThan(10)
  expect(shared.map(([name]) => [name, desk.get(name)])).toEqual(shared)
  // In the dark it is the lighter one: the desk has another word for it.
  expect(desk.get('action-strong')).toBe(site.get('action-dark'))
})
