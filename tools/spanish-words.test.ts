import { expect, test } from 'vitest'
import { slipsIn } from './spanish-words.ts'

const slips = (line: string, file = 'content/es/landing.ts') => slipsIn(file, `first line\n${line}`)

test.each([
  ["text: 'Puede aplicar hoy.'", 'aplicar'],
  ["text: 'Envíe su aplicación.'", 'aplicación'],
  ["text: 'Llene la forma.'", 'Llene la forma'],
  ["text: 'Complete esta forma.'", 'Complete esta forma'],
  ["text: 'Personas con discapacidad'", 'discapacidad'],
  ["text: 'Tú decides.'", 'Tú'],
  ["text: 'Vea tus opciones.'", 'tus'],
  ["text: 'Te llamamos.'", 'Te'],
  ["text: 'Si tienes 55 años'", 'tienes'],
  ["text: 'Si has trabajado'", 'has'],
  ["text: 'Le llamamos para atrás.'", 'llamamos para atrás'],
  ["heading: '¿Quién Califica para SSDI?'", 'Title Case'],
  ['    cta: `Revise Su Elegibilidad`,', 'Title Case'],
  ['## Política de Privacidad', 'Title Case'],
])('finds “%s”', (line, words) => {
  expect(slips(line)).toEqual([`content/es/landing.ts:2: ${words}`])
})

test.each([
  "text: 'De la forma que prefiera: así se aplica la regla.'",
  "heading: '¿Quién califica para SSDI y Medicare?'",
  "title: 'Llame a la Administración del Seguro Social'",
  "heading: 'Primero lea. Después llame.'",
  "text: 'La Ley de Estadounidenses con Discapacidades'",
  "import { tu } from './tu.ts'",
  '// aplicar',
  'Draft: aplicar',
])('accepts “%s”', line => expect(slips(line)).toEqual([]))

test('reads the Spanish next to English in other files', () => {
  const file = 'content/testimonials.ts'
  expect(slips("{ en: 'Te, tu', es: 'Te llaman.' },", file)).toEqual([`${file}:2: Te`])
  expect(slips("  en: 'Me te tu',", file)).toEqual([])
})
