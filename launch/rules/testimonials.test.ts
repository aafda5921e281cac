import { expect, test } from 'vitest'
import { builtPage, named } from '../../tests/support/built-page.ts'
import { openOn } from '../findings.ts'
import { testimonialFindings } from './testimonials.ts'

const quote = (text: string) => [builtPage(`<figure><blockquote>“${text}”</blockquote></figure>`)]
const permission = { given: '2026-10-01', record: 'signed release, file 12' }
const found = (shown: string, testimonial: object) =>
  named(
    openOn(
      testimonialFindings(quote(shown), [{ name: 'Ann', text: 'Good.', sample: false, ...testimonial }]),
      '2026-11-15',
    ),
  )

test('a sample is refused, also with a permission', () => {
  expect(found('Good.', { sample: true })).toEqual(['sample_testimonial:Ann'])
  expect(found('Good.', { sample: true, permission })).toEqual(['sample_testimonial:Ann'])
})

test('a real one needs a permission with its day and where it is kept', () => {
  expect(found('Good.', { permission })).toEqual([])
  expect(found('Good.', {})).toEqual(['testimonial_without_permission:Ann'])
  expect(found('Good.', { permission: { given: 'in May', record: 'a letter' } })).toHaveLength(1)
  expect(found('Good.', { permission: { given: '2026-10-01', record: ' ' } })).toHaveLength(1)
})

test('a permission that is still to be given is none, until its day', () => {
  const findings = testimonialFindings(quote('Good.'), [{ name: 'Ann', text: 'Good.', sample: false, permission }])
  expect(named(openOn(findings, '2026-09-30'))).toEqual(['testimonial_without_permission:Ann'])
  expect(named(openOn(findings, '2026-10-01'))).toEqual([])
})

test('a quote is found however it is spaced', () => {
  expect(found('Good.  Very\u00A0good.', { text: 'Good.  Very\u00A0good.', permission })).toEqual([])
})

test('what no page shows is not asked for; a quote that nobody has listed is', () => {
  expect(named(testimonialFindings([builtPage('')], [{ name: 'Ann', text: 'Good.', sample: true }]))).toEqual([])
  expect(found('Never said.', { permission })).toEqual(['unlisted_testimonial:/'])
})
