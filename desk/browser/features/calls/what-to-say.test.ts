import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { siteCopy } from '../../../../tests/support/site-copy.ts'
import type { PhoneWords } from '../../client.ts'
import { InTheirLanguage } from './what-to-say.tsx'

const { en, es } = siteCopy.calls
const words = { en: en.words, es: es.words } as unknown as PhoneWords
const inSpanish = (...colleagues: readonly { readonly name: string; readonly languages: readonly string[] }[]) =>
  renderToStaticMarkup(createElement(InTheirLanguage, { words, language: 'es', colleagues }))

test('an agent who speaks no Spanish reads a Spanish sentence, and sees what it says', () => {
  const html = inSpanish()
  const [spanish = '', english = ''] = html.split('Disculpe')[1]?.split('I’m sorry') ?? []
  expect([html.includes('in Spanish'), html.includes('lang="es">Disculpe')]).toEqual([true, true])
  expect([spanish, english]).toEqual([
    expect.stringContaining('no hablo su idioma'),
    expect.stringContaining('I don’t speak your language'),
  ])
})

test('they see who will call, and when', () => {
  const ana = { name: 'Ana Ruiz', languages: ['en', 'es'] }
  const html = inSpanish(ana, { name: 'Joe Park', languages: ['en'] }, { ...ana, name: 'Eva Sol' })
  expect(html).toContain('Ana Ruiz and Eva Sol speak Spanish here. The desk offers them this call first, from an hour')
  expect(inSpanish()).toContain('Nobody else who calls here speaks Spanish. The desk offers you this call again after')
})
