import { expect, test } from 'vitest'
import { languageOfRequest } from './languages.ts'

test.each([
  ['/es/decline', '', 'es'],
  ['/api/leads', 'language=es', 'es'],
  ['/api/leads', '', 'en'],
  ['/api/leads', 'language=%00', 'en'],
  ['/decline', 'language=es', 'en'],
])('%s?%s is in %s', (path, query, language) => {
  expect(languageOfRequest({ path, query })).toBe(language)
})
