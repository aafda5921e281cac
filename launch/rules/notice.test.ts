import { expect, test } from 'vitest'
import { builtPage, named } from '../../tests/support/built-page.ts'
import { noticeFindings } from './notice.ts'

const notice = 'We are not affiliated with the Social Security Administration or any government agency.'
const look = (paragraph: string, css = '') => noticeFindings([builtPage(paragraph, { head: `<style>${css}</style>` })])
const codes = (paragraph: string, css = '') => named(look(paragraph, css))

test('every page needs the notice', () => {
  expect(codes('<p>We are a private organization.</p>')).toEqual(['affiliation_notice_missing:/'])
  expect(codes(`<footer><p>${notice}</p></footer>`)).toEqual([])
})

test.each([
  ['small letters', '.x{font-size:12px}', 'its letters are 12 px, less than 14'],
  ['small letters by a token', ':root{--s:.75rem}.x{font-size:var(--s)}', 'its letters are 12 px'],
  ['relative to smaller ones around', 'footer{font-size:10px}.x{font-size:1.2em}', 'its letters are 12 px'],
  ['grey on white', '.x{color:#bbb}', 'its contrast is 1.9:1, less than 4.5:1'],
  ['grey on the color around', '@layer base{footer{background-color:#14352c}}.x{color:#456}', 'its contrast is'],
  ['half see-through', '.x{opacity:.3}', 'its contrast is'],
  ['not shown', '.x{display:none}', 'it is hidden'],
  ['for screen readers only', '.x{position:absolute;clip-path:inset(50%)}', 'it is hidden'],
  ['a color nobody can work out', '.x{color:color-mix(in oklab,red,blue)}', 'cannot be worked out'],
])('%s is not legible', (_, css, detail) => {
  const [finding] = look(`<footer><p class="x">${notice}</p></footer>`, css)
  expect(finding?.code).toBe('affiliation_notice_illegible')
  expect(finding?.detail).toContain(detail)
})

test('rules for print, for a wide screen or for a state do not count, nor do those of another class', () => {
  const css = '@media print{.x{display:none}}.x:hover{color:#fff}.y{display:none}.x{font-size:14px;color:#333}'
  expect(codes(`<p class="x">${notice}</p>`, css)).toEqual([])
})

test('one legible notice is enough', () => {
  expect(codes(`<p hidden>${notice}</p><p>${notice}</p>`)).toEqual([])
})
