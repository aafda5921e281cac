import { expect, test } from 'vitest'
import { languages } from './languages.ts'
import { textsIn } from './texts.ts'
import { words } from './words.ts'

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [oneLine(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

test.each(languages)('the checks read every text in %s', language => {
  const read = new Set(textsIn().map(({ text }) => text))
  expect(stringsIn(words[language]).filter(text => !read.has(text))).toEqual([])
})

test('knows each text’s file and language, and its name in every language', () => {
  const headline = textsIn().filter(({ name }) => name === 'landing.ts hero headline')
  expect(headline.map(({ file, language }) => [file, language])).toEqual(
    languages.map(language => [`content/${language}/landing.ts`, language]),
  )
  const files = { 'pages.ts': [{ en: 'One', es: 'Uno' }] }
  expect(textsIn(files).find(({ text }) => text === 'One')).toMatchObject({ file: 'content/pages.ts', language: 'en' })
})
