import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../tests/support/after-test.ts'
import { missingPackages } from './native-packages.ts'

test('names the native packages of this machine that npm left out, and no others', () => {
  const folder = newFolder()
  const of = (os: string, cpu: string, libc?: string) => ({
    optional: true,
    os: [os],
    cpu: [cpu],
    ...(libc && { libc: [libc] }),
  })
  const packages = {
    '': {},
    'node_modules/hono': {},
    'node_modules/@img/sharp-linux-x64': of('linux', 'x64', 'glibc'),
    'node_modules/@img/sharp-linuxmusl-x64': of('linux', 'x64', 'musl'),
    'node_modules/@img/sharp-linux-arm64': of('linux', 'arm64', 'glibc'),
    'node_modules/@tailwindcss/oxide-darwin-arm64': of('darwin', 'arm64'),
    'node_modules/vite/node_modules/lightningcss-linux-x64-gnu': of('linux', 'x64', 'glibc'),
  }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }))
  mkdirSync(join(folder, 'node_modules/@img/sharp-linux-x64'), { recursive: true })
  expect(missingPackages(folder, { platform: 'linux', arch: 'x64' })).toEqual([
    'node_modules/vite/node_modules/lightningcss-linux-x64-gnu',
  ])
  expect(missingPackages(folder, { platform: 'darwin', arch: 'arm64' })).toEqual([
    'node_modules/@tailwindcss/oxide-darwin-arm64',
  ])
})
