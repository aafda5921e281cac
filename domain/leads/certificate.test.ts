import { describe, expect, test } from 'vitest'
import { certificateId, certificateUrl, parseCertificate } from './certificate.ts'

const ADDRESS = 'https://cert.trustedform.com/'
const hex = '0123456789abcdef0123456789abcdef01234567'

describe('the field’s value', () => {
  const rests = [hex, '0.aBc-_123', `${hex}/more`, `${hex}?a=b#c`, hex.slice(1), '0.<script>', `v5/${hex}`, '']
  test.each([
    ...rests.map(rest => ADDRESS + rest),
    'https://cert.trustedform.com',
    `HTTPS://Cert.TrustedForm.com/${hex}`,
    `https://cert.trustedform.com:443/${hex}`,
  ])('is stored unchanged if it is a TrustedForm address: %s', url => {
    expect(parseCertificate([url])).toEqual({ kind: 'present', url })
  })

  const origins = ['http://cert.trustedform.com', 'https://cert.trustedform.com.evil.example', '//cert.trustedform.com']
  const hidden = ['evil.example/cert.trustedform.com', 'sub.cert.trustedform.com', 'user@cert.trustedform.com']
  hidden.push('user:word@cert.trustedform.com', 'cert.trustedform.com@evil.example', 'cert.trustedform.com:444')
  test.each([
    ...[...origins, ...hidden.map(host => `https://${host}`)].map(origin => `${origin}/${hex}`),
    ...[`https://cert.trustedform.com\\@evil.example/${hex}`, `${ADDRESS}a b`, `${ADDRESS}a\nb`, `${ADDRESS}é`, hex],
  ])('is invalid if it is anything else: %s', value => expect(parseCertificate([value])).toEqual({ kind: 'invalid' }))

  test('is stored up to 1,000 characters and never truncated, because a truncated URL proves nothing', () => {
    const longest = ADDRESS.padEnd(1000, 'x')
    expect(parseCertificate([longest])).toEqual({ kind: 'present', url: longest })
    expect(parseCertificate([`${longest}x`])).toEqual({ kind: 'invalid' })
  })

  test('comes from the first non-empty field, if there is one', () => {
    expect(parseCertificate([])).toEqual({ kind: 'none' })
    expect(parseCertificate(['', ' '])).toEqual({ kind: 'none' })
    expect(parseCertificate(['', ` ${ADDRESS}${hex} `, 'x'])).toEqual({ kind: 'present', url: ADDRESS + hex })
  })
})

describe('a certificate’s format', () => {
  test.each([hex, hex + hex, hex.toUpperCase(), '0.aBc-_123', '0.x'])('is recognized: %s', id => {
    expect(certificateId(ADDRESS + id)).toBe(id)
    expect(certificateUrl(id)).toBe(ADDRESS + id)
  })

  test('isn’t recognized in other text or at another address', () => {
    const other = ['', `${hex}/more`, `${hex}?a=b`, hex.slice(1), `${hex}0`, '0.', '0.<script>', `0.${'x'.repeat(300)}`]
    for (const rest of other) expect([rest, certificateId(ADDRESS + rest)]).toEqual([rest, null])
    expect(certificateId(`https://elsewhere.example/${hex}`)).toBeNull()
  })
})
