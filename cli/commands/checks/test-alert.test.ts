import { afterEach, beforeEach, expect, test } from 'vitest'
import { AlertChannel } from '../../../tests/support/alert-channel.ts'
import { leads } from '../../../tests/support/leads-command.ts'

let channel: AlertChannel
let url: string
beforeEach(async () => {
  channel = new AlertChannel()
  url = await channel.open()
})
afterEach(() => channel.close())

const testAlert = () => leads(['alert'], { env: { ALERT_WEBHOOK_URL: url, SITE_URL: 'https://www.example.org' } })

test('one message is sent that says that it is a test, and of which site', async () => {
  const { code, out, err } = await testAlert()
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^127\.0\.0\.1:\d+ took the message\. Is it in the channel\?\n$/)
  expect(channel.messages).toEqual([expect.stringMatching(/^TEST: .*www\.example\.org.*Nothing is wrong/)])
})

test('an address that does not take it is said plainly, with exit code 1 and without its path', async () => {
  channel.status = 404
  const { code, out } = await testAlert()
  expect([code, out.includes('did not take the message: it answered 404')]).toEqual([1, true])
  expect(out).not.toContain('secret')
})

test('an address where nobody listens is said plainly', async () => {
  await channel.close()
  const { code, out } = await testAlert()
  expect([code, out.includes('ECONNREFUSED')]).toEqual([1, true])
})

test('without an address there is nothing to test', async () => {
  const { code, err } = await leads(['alert'])
  expect([code, err]).toEqual([1, 'ALERT_WEBHOOK_URL is not set: alerts go to the log only.\n'])
})
