/**
 * The desk's light theme uses the public site's colors. They're defined in two files because the site inlines its colors to
 * save bytes and the desk adds dark ones. This test keeps them in sync.
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

test('the desk’s light theme uses the site’s colors', () => {
  const site = colors('../../site/styles.css', /(#[0-9a-f]{6})/)
  const desk = colors('./styles.css', /light-dark\((#[0-9a-f]{6,8}), #[0-9a-f]{6,8}\)/)
  const shared = [...site].filter(([name]) => name !== 'action-dark')
  expect(shared.length).toBeGreaterThan(10)
  expect(shared.map(([name]) => [name, desk.get(name)])).toEqual(shared)
  // The desk uses a different name because this color is lighter, not darker, in its dark theme.
  expect(desk.get('action-strong')).toBe(site.get('action-dark'))
})
