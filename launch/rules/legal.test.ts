import { expect, test } from 'vitest'
import { builtPage, named } from '../../tests/support/built-page.ts'
import { legalFindings, placeholderFindings } from './legal.ts'

const draft = { file: 'content/legal/terms.md', isDraft: true }

test('a draft is refused, unless the footer leads to such a page elsewhere', () => {
  expect(named(legalFindings({ terms: draft }, { terms: null }))).toEqual(['legal_draft:content/legal/terms.md'])
  expect(legalFindings({ terms: draft }, { terms: 'https://www.acme.test/terms' })).toEqual([])
  expect(legalFindings({ terms: { ...draft, isDraft: false } }, { terms: null })).toEqual([])
})

test.each(['It applies from [date].', 'Lorem ipsum dolor', 'TODO: ask Ann'])('%s was to be filled in', text => {
  expect(named(placeholderFindings([builtPage(`<p>${text}</p>`, { path: '/terms' })]))).toEqual([
    'placeholder_text:/terms',
  ])
})

test('a finished text is left alone', () => {
  expect(placeholderFindings([builtPage('<p>It applies from May 1, 2027 (a Saturday).</p>')])).toEqual([])
})
