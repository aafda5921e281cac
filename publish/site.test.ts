import { expect, test } from 'vitest'
import { fillWords } from './site.ts'

test('words that name a placeholder, or look like code, stay words', () => {
  const said = '__contact____panel__`$' + '{alert(1)}\\'
  const filled = fillWords(
    'return [__panel__,__contact__]',
    { panel: { en: said, es: '' }, contact: { en: [said] } },
    'en',
  )
  expect(new Function(filled)()).toEqual([{ en: said }, { en: [said] }])
})
