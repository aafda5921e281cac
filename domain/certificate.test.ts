import { describe, expect, test } from 'vitest'
import { parseCertificate } from './certificate.ts'

const ADDRESS = 'https://cert.trustedform.com/'
const hex = '0123456789abcdef0123456789abcdef01234567'

describe('a certificate', () => {
  test.each([hex, hex + hex, hex.toUpperCase(), '0.aBc-_123', '0.x'])('with the id %s is kept by its id', id => {
    expect(parseCertificate([ADDRESS + id])).toEqual({ kind: 'present', id })
  })

  test.each([
    `http://cert.trustedform.com/${hex}`,
    `https://cert.trustedform.com.evil.example/${hex}`,
    `https://evil.example/cert.trustedform.com/${hex}`,
    `https://user@cert.trustedform.com/${hex}`,
    `https://cert.trustedform.com:444/${hex}`,
    `${ADDRESS}${hex}/more`,
    `${ADDRESS}${hex}?a=b`,
    `${ADDRESS}${hex.slice(1)}`,
    `${ADDRESS}${hex}0`,
    `${ADDRESS}0.`,
    `${ADDRESS}0.<script>`,
    `${ADDRESS}0.${'x'.repeat(300)}`,
    ADDRESS,
    hex,
  ])('is not %s', value => {
    expect(parseCertificate([value])).toEqual({ kind: 'invalid' })
  })

  test('is none when no field is filled, and else the first filled one', () => {
    expect(parseCertificate([])).toEqual({ kind: 'none' })
    expect(parseCertificate(['', ' '])).toEqual({ kind: 'none' })
    expect(parseCertificate(['', ADDRESS + hex, 'x'])).toEqual({ kind: 'present', id: hex })
  })
})
