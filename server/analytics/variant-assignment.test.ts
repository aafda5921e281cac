import { expect, test } from 'vitest'
import { createClientAddress } from '../http/client-address.ts'
import type { HttpRequest } from '../http/handler.ts'
import { createVariantAssignment } from './variant-assignment.ts'

const day = '2030-01-31'
const dealing = () => createVariantAssignment(createClientAddress(['10.0.0.1']))
const from = (address: string): HttpRequest => ({
  ...{ method: 'GET', path: '/', query: '', socketAddress: '10.0.0.1', body: undefined as never },
  header: name => (name === 'x-forwarded-for' ? address : undefined),
})
const visitors = Array.from({ length: 30_000 }, (_, index) => from(`198.18.${index >> 8}.${index & 255}`))

test('a visitor gets the same all day, from every server with the same secret', () => {
  const [one, two, stranger] = [dealing(), dealing(), dealing()]
  one.shareSecret('shared')
  two.shareSecret('shared')
  for (const visitor of visitors.slice(0, 1000)) expect(one.pick(visitor, 3, day)).toBe(two.pick(visitor, 3, day))
  const alike = visitors.filter(visitor => one.pick(visitor, 2, day) === stranger.pick(visitor, 2, day))
  expect(alike.length / visitors.length).toBeCloseTo(0.5, 1)
})

test('the next day is dealt anew, so that nobody is followed by what they get', () => {
  const one = dealing()
  const before = visitors.map(visitor => one.pick(visitor, 2, day))
  const same = visitors.filter((visitor, index) => one.pick(visitor, 2, '2030-02-01') === before[index])
  expect(same.length / visitors.length).toBeCloseTo(0.5, 1)
})

test.each([2, 3, 5])('of %i, each is dealt out to as many', count => {
  const one = dealing()
  const dealt = visitors.map(visitor => one.pick(visitor, count, day))
  for (let which = 0; which < count; which++) {
    const share = dealt.filter(each => each === which).length / visitors.length
    // Five standard deviations: by chance alone, once in two million runs.
    expect(Math.abs(share - 1 / count)).toBeLessThan(5 * Math.sqrt(0.25 / visitors.length))
  }
})

test('a phone that changes its address within its network keeps what it got', () => {
  const one = dealing()
  for (let net = 0; net < 100; net++) {
    const network = `2001:db8:${net.toString(16)}:1`
    expect(one.pick(from(`${network}::1`), 5, day)).toBe(one.pick(from(`${network}:aaaa:bbbb:cccc:dddd`), 5, day))
  }
})
