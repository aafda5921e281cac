/** The store fails while the receiver runs: visitors are told to try again, and it recovers without a restart. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eligibleAnswers } from '../../tests/support/answers.ts'
import { fullDisk, lockStore, unwritableDisk } from '../../tests/support/disks.ts'
import { ada, type LeadReceiver, sendQuery, startLeadReceiver } from '../../tests/support/lead-receiver.ts'

let folder: string
let receiver: LeadReceiver | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'faults-'))
})
afterEach(async () => {
  await receiver?.close()
  receiver = undefined
  rmSync(folder, { recursive: true, force: true })
})

const start = async () => {
  receiver = await startLeadReceiver({
    folder,
    store: { busyTimeoutMs: 100 },
    rateLimit: { softLimit: 3, hardLimit: 4 },
  })
  return receiver
}

/** Sends a person before, during and after the fault, and looks at what each was told and what the store has. */
async function expectRecovery(running: LeadReceiver, fail: () => unknown, recover: () => unknown): Promise<void> {
  const send = (name: string) => sendQuery(running, { email: `${name}@example.org` })
  expect((await send('before')).status).toBe(202)
  await fail()
  try {
    // More often than the hard limit allows: whoever tries again during an outage did nothing wrong.
    for (let attempt = 0; attempt < 5; attempt++) {
      const refused = await send('during')
      expect(refused.status).toBe(503)
      expect(refused.headers.get('retry-after')).toBe('30')
      expect(refused.headers.get('cache-control')).toBe('no-store')
      expect(await refused.json()).toEqual({ status: 'refused', message: 'Leads cannot be received at the moment.' })
    }
    expect((await postForm(running)).status).toBe(503)
    expect((await sendQuery(running, { email: 'nobody' })).status).toBe(422)
  } finally {
    await recover()
  }
  expect((await send('during')).status).toBe(202)
  expect((await send('after')).status).toBe(202)
  const leads = await running.rows('leads')
  expect(leads.map(lead => [lead['email'], lead['state']])).toEqual([
    ['before@example.org', 'accepted'],
    ['during@example.org', 'accepted'],
    ['after@example.org', 'accepted'],
  ])
  expect(await running.rows('history')).toHaveLength(3)
  expect(await running.rows('deliveries')).toHaveLength(3)
  expect(running.failures).toEqual([])
}

function postForm(running: LeadReceiver): Promise<Response> {
  return fetch(running.endpoint, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({
      ...eligibleAnswers,
      ...ada,
      consentVersion: running.consentVersion,
      questionnaireVersion: running.questionnaireVersion,
      page: '/',
    }),
  })
}

test('the disk is full', async () => {
  const disk = fullDisk(folder)
  try {
    await expectRecovery(await start(), disk.fail, disk.recover)
    await receiver?.close()
    receiver = undefined
  } finally {
    disk.remove()
  }
})

test('the disk takes no writes', async () => {
  const disk = unwritableDisk()
  await expectRecovery(await start(), disk.fail, disk.recover)
})

test('another program holds the store', async () => {
  let release: () => unknown = () => {}
  const running = await start()
  await expectRecovery(
    running,
    async () => {
      const lock = await lockStore(join(folder, 'leads.db'))
      release = lock.release
    },
    () => release(),
  )
})

test('the store’s file is moved away, and put back', async () => {
  const file = join(folder, 'leads.db')
  const aside = join(folder, 'aside.db')
  await expectRecovery(
    await start(),
    () => renameSync(file, aside),
    () => renameSync(aside, file),
  )
})

test('the store’s file is replaced by another one', async () => {
  const file = join(folder, 'leads.db')
  const aside = join(folder, 'aside.db')
  await expectRecovery(
    await start(),
    () => {
      renameSync(file, aside)
      writeFileSync(file, '')
    },
    () => renameSync(aside, file),
  )
})
