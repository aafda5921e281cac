/** As delivered, the desk's light theme has the public site's colors. An operator who changes the site's keeps the desk's. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { colors } from '../../site-folder/site.ts'

const LIGHT = /--color-([a-z-]+): light-dark\((#[0-9a-f]{6,8}), #[0-9a-f]{6,8}\);/g

test('the desk’s light theme uses the site’s colors', () => {
  const styles = readFileSync(new URL('./styles.css', import.meta.url), 'utf8')
  const desk = new Map(Array.from(styles.matchAll(LIGHT), ([, name, color]) => [name, color]))
  const { 'action-dark': actionDark, ...shared } = colors
  for (const [name, color] of Object.entries(shared)) expect([name, desk.get(name)]).toEqual([name, color])
  // The desk uses a different name because this color is lighter, not darker, in its dark theme.
  expect(desk.get('action-strong')).toBe(actionDark)
})
