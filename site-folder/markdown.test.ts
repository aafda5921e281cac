import { expect, test } from 'vitest'
import { pageMistakes } from './legal.ts'
import { parseMarkdown } from './markdown.ts'
import { readSite } from './read-site.ts'

function mistakesIn(text: string): readonly { readonly line: number; readonly message: string }[] {
  const parsed = parseMarkdown(text)
  return [...parsed.mistakes, ...pageMistakes(parsed)].sort((a, b) => a.line - b.line)
}

test.each([
  ['# A\n\nHi.\n\n<script>alert(1)</script>', '5: HTML isn’t supported'],
  ['# A\n\nHi <b onclick="x">there.', '3: HTML isn’t supported'],
  ['# A\n\nHi.\n\n[x](javascript:alert(1))', '5: Expected a link to https://'],
  ['# A\n\n[x](//example.org)', '3: Expected a link to https://'],
  ['# A\n\nHi.\n\n![x](/a.png)', '5: “![x](/a.png)” isn’t supported'],
  ['Hi.\n\n# A', '1: The page must start with its title'],
  ['', '1: The page must start with its title'],
  ['# A', '1: Expected a paragraph that says'],
  ['# A\n\nHi.\n\n### C', '5: Expected a heading with ##'],
  ['# A\n\nHi.\n\n## B\n\n### C\n\n#### D', '9: The lowest heading level is'],
  ['# A\n\nHi.\n\n# B', '5: A page can have only one title'],
])('%j has one mistake', (text, told) => {
  expect(mistakesIn(text).map(({ line, message }) => `${line}: ${message}`)).toEqual([expect.stringContaining(told)])
})

test('each mistake is told with its own line, also if the same words are on several', () => {
  const text = '# A\n\nHi <i>.\n\n- one\n- two\n  [x](b) and *[x](b)*\n\n---\n\nHi <i>.\n\n[x](b)\n\n---\n\n---\n'
  expect(mistakesIn(text).map(({ line }) => line)).toEqual([3, 7, 7, 9, 11, 13, 15, 17])
})

test('the original pages and drafts have none', () => expect(readSite(null).findings).toEqual([]))
