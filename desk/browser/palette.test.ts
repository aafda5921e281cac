/**
 * The desk in light has the public site's colours. The site's are written into its rules without variables, to save bytes,
 * and the desk's have a second value for the dark: so they stand in two files, and this holds them together.
 */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const colours = (file: string, value: RegExp) =>
  new Map(
    Array.from(
      readFileSync(new URL(file, import.meta.url), 'utf8').matchAll(
        new RegExp(`--color-([a-z-]+): ${value.source};`, 'g'),
      ),
      ([, name, colour]) => [name, colour],
    ),
  )

test('a colour of the site is the same colour at the desk, in light', () => {
  const site = colours('../../site/styles.css', /(#[0-9a-f]{6})/)
  const desk = colours('./styles.css', /light-dark\((#[0-9a-f]{6,8}), #[0-9a-f]{6,8}\)/)
  const shared = [...site].filter(([name]) => name !== 'action-dark')
  expect(shared.length).toBeGreaterThan(10)
  expect(shared.map(([name]) => [name, desk.get(name)])).toEqual(shared)
  // In the dark it is the lighter one: the desk has another word for it.
  expect(desk.get('action-strong')).toBe(site.get('action-dark'))
})
