import { createElement, Fragment } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { parseMarkdown } from '../../site-folder/markdown.ts'
import { renderMarkdown } from './markdown.tsx'

const page = (text: string) => renderMarkdown(parseMarkdown(text).blocks)
const html = (text: string) =>
  renderToStaticMarkup(createElement(Fragment, null, page(text).body)).replaceAll(/ class="[^"]*"/g, '')

test('headings, paragraphs, lists, emphasis, and links become plain elements', () => {
  const text = '# Help\n\nCall **us** or *write*.\n\n## By mail\n\n- one\n- [two](/terms)\n\n1. first'
  expect(html(text)).toBe(
    '<h1>Help</h1><p>Call <strong>us</strong> or <em>write</em>.</p><h2 id="by-mail">By mail</h2>' +
      '<ul><li>one</li><li><a href="/terms">two</a></li></ul><ol><li>first</li></ol>',
  )
})

test('title and summary are the first heading and the first paragraph, without emphasis', () => {
  expect(page('# Our *Terms*\n\nRead [these](/x) **first**.\n\nThen that.')).toMatchObject({
    title: 'Our Terms',
    summary: 'Read these first.',
  })
})

test('Windows line endings make no difference', () => {
  expect(html('# A\r\n\r\nHi\r\nthere.\r\n\r\n- one\r\n')).toBe(html('# A\n\nHi\nthere.\n\n- one\n'))
})

test('text that looks like markup is shown as typed, and character references are decoded', () => {
  expect(html('# A\n\nIf 1 < 2 & 3 > 2, “quote” it.')).toContain('<p>If 1 &lt; 2 &amp; 3 &gt; 2, “quote” it.</p>')
  expect(html('# A\n\n&sect; 7&nbsp;of &copy; AT&T, R&D; &#8212; &nothing; 1 <2 &amp; 3')).toContain(
    '<p>§ 7\u00A0of © AT&amp;T, R&amp;D; — &amp;nothing; 1 &lt;2 &amp; 3</p>',
  )
})

test('every heading has a unique id', () => {
  const ids = html('# A\n\nHi.\n\n## Phone\n\n## Phone\n\n## Phone 2\n\n## 電話').matchAll(/id="([^"]*)"/g)
  expect(Array.from(ids, ([, id]) => id)).toEqual(['phone', 'phone-2', 'phone-2-2', 'section'])
})
