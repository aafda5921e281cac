import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { siteCopy } from '../../../../tests/support/site-copy.ts'
import type { PhoneWords } from '../../client.ts'
import { InTheirLanguage } from './what-to-say.tsx'

test('an agent who speaks no Spanish reads a Spanish sentence, and sees what it says', () => {
  const { en, es } = siteCopy.calls
  const words = { en: en.words, es: es.words } as unknown as PhoneWords
  const html = renderToStaticMarkup(createElement(InTheirLanguage, { words, language: 'es' }))
  const [spanish = '', english = ''] = html.split('Disculpe')[1]?.split('I’m sorry') ?? []
  expect([html.includes('in Spanish'), html.includes('lang="es">Disculpe')]).toEqual([true, true])
  expect([spanish, english]).toEqual([
    expect.stringContaining('no hablo su idioma'),
    expect.stringContaining('I don’t speak your language'),
  ])
})
