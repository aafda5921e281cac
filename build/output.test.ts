import { expect, test } from 'vitest'
import { withUsedStyle } from './output.ts'

const page = (style: string, body: string) => `<style>${style}</style><body>${body}</body>`

test('a rule for a class that is only on other pages is left out, also inside a media query', () => {
  const html = page('.a{color:red}.b{color:tan}@media print{.b{top:0}.a{top:1px}}', '<p class="a">b</p>')
  expect(withUsedStyle(html.replace('>b<', '>c<'), '')).toBe(
    page('.a{color:red}@media print{.a{top:1px}}', '<p class="a">c</p>'),
  )
})

test('what a script may set, what has an escaped name and what is for an element stay', () => {
  const style = 'p{top:0}.lg\\:b{top:1px}.late{top:2px}'
  expect(withUsedStyle(page(style, '<p class="lg:b">'), 'className:`x late`')).toBe(page(style, '<p class="lg:b">'))
})
