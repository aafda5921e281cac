import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../tests/support/after-test.ts'
import { mountOwnDisk } from '../../tests/support/disks.ts'
import { PROGRAM_ENV } from '../../tests/support/processes.ts'
import { StoreUnusable } from '../store/store-errors.ts'
import { findKey, installationKey, keyFileIn } from './installation-key.ts'

const newStore = { installationKeys: async () => [], registerKey: async () => {} }
const usedStore = { ...newStore, installationKeys: async () => [{ id: 'known', signingSince: null }] }

let dataDir: string
beforeEach(() => {
  dataDir = newFolder()
})

const settings = () => ({ erasureKey: null, dataDir })

/** Prints the key. Kills itself at the given step: before a file operation, halfway through a write, or after the last one. */
const CREATE = `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const [module, dataDir, dieAt] = process.argv.slice(1)
  let step = -1000
  const mayDie = () => ++step === Number(dieAt) && process.kill(process.pid, 'SIGKILL')
  const { writeFileSync } = fs
  for (const name of ['mkdirSync', 'openSync', 'fsyncSync', 'linkSync', 'renameSync', 'rmSync']) {
    const real = fs[name]
    fs[name] = (...args) => (mayDie(), real(...args))
  }
  if (dieAt === 'no links') {
    fs.linkSync = () => {
      throw Object.assign(new Error('operation not permitted'), { code: 'EPERM', syscall: 'link' })
    }
  }
  fs.writeFileSync = (file, data, options) => {
    mayDie()
    writeFileSync(file, data.slice(0, 20), options)
    mayDie()
    writeFileSync(file, data.slice(20), { flag: 'a', flush: true })
  }
  syncBuiltinESMExports()
  const { installationKey } = await import(module)
  // Loading the modules doesn't count.
  step = 0
  const registerKey = async () => void mayDie()
  if (process.send) {
    process.send('ready')
    await new Promise(resolve => process.once('message', resolve))
    process.disconnect()
  }
  console.log(await installationKey({ erasureKey: null, dataDir }, { installationKeys: async () => [], registerKey }))`

const createArgs = (...more: string[]) => ['--input-type=module', '-e', CREATE, MODULE, ...more]
const MODULE = join(import.meta.dirname, 'installation-key.ts')
/** More than there are. */
const STEPS = 14

test('a process killed at any step of creating the key leaves a whole key or none', async () => {
  const leftBy = async (step: number) => {
    const own = { erasureKey: null, dataDir: join(dataDir, String(step)) }
    const child = spawn(process.execPath, createArgs(own.dataDir, String(step)), { env: PROGRAM_ENV, stdio: 'ignore' })
    const [, signal] = await once(child, 'exit')
    const left = findKey(own)
    const key = await installationKey(own, newStore)
    expect(key).toHaveLength(43)
    if (left !== null) expect(key).toBe(left)
    return signal === null ? 'finished' : left === null ? 'none' : 'whole'
  }
  const found = await Promise.all(Array.from({ length: STEPS }, (_, index) => leftBy(index + 1)))
  // Nothing while the key is written, the whole key once it's there, and the last ones weren't killed.
  expect(found.join(' ')).toMatch(/^(none ){4,}(whole ){3,}(finished ?)+$/)
})

test('processes that create the key at the same time agree on one', async () => {
  const children = Array.from({ length: 6 }, () =>
    spawn(process.execPath, createArgs(dataDir), { env: PROGRAM_ENV, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] }),
  )
  await Promise.all(children.map(child => once(child, 'message')))
  for (const child of children) child.send('go')
  const keys = await Promise.all(children.map(({ stdout }) => text(stdout as Readable)))
  expect(new Set(keys)).toEqual(new Set([readFileSync(keyFileIn(dataDir), 'utf8')]))
  expect(readdirSync(dataDir)).toEqual(['erasure.key'])
  expect(statSync(keyFileIn(dataDir)).mode & 0o777).toBe(0o600)
})

test.each([
  ['empty', ''],
  ['a line break', '\n'],
  ['cut off', 'x'.repeat(31)],
])('a key file that is %s is refused and left alone', async (_, content) => {
  writeFileSync(keyFileIn(dataDir), content)
  for (const store of [newStore, usedStore]) {
    const refused = installationKey(settings(), store)
    await expect(refused).rejects.toThrow(StoreUnusable)
    await expect(refused).rejects.toThrow(/erasure\.key is empty or incomplete\. Replace it with your copy/)
  }
  expect(readFileSync(keyFileIn(dataDir), 'utf8')).toBe(content)
})

test('on a full disk, no key is created, and once there is room, one is', async context => {
  const disk = mountOwnDisk() ?? context.skip()
  onTestFinished(() => disk.remove())
  const onDisk = { erasureKey: null, dataDir: disk.folder }
  disk.fill()
  await expect(installationKey(onDisk, newStore)).rejects.toThrow('the disk is full')
  expect(existsSync(keyFileIn(disk.folder))).toBe(false)
  disk.empty()
  const key = await installationKey(onDisk, newStore)
  expect(key).toHaveLength(43)
  expect(findKey(onDisk)).toBe(key)
})

test('a disk without hard links is refused, and the message says what to do', async () => {
  const child = spawn(process.execPath, createArgs(dataDir, 'no links'), {
    env: PROGRAM_ENV,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect(out).toBe('')
  expect(error).toMatch(
    /StoreUnusable.*: Can’t create the key file .*: this disk’s file system has no hard links\. Set ERASURE_KEY/,
  )
  expect(readdirSync(dataDir)).toEqual([])
})
