/** Runs deploy/release.sh in a temporary checkout. Fakes replace programs that would change the machine. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const OLD = '20300101-000000-0000000'
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'))
  cpSync(join(import.meta.dirname, '../../deploy/release.sh'), join(folder, 'source/deploy/release.sh'))
  git('init', '-q')
  git('add', '.')
  git('-c', 'user.name=Test', '-c', 'user.email=test@example.org', 'commit', '-qm', 'Test')
  mkdirSync(join(folder, 'home/releases', OLD), { recursive: true })
  symlinkSync(join('releases', OLD), join(folder, 'home/current'))
  for (const name of ['npm', 'sleep']) writeProgram(name, '')
  // `show` prints how often the service was restarted after it crashed.
  writeProgram(
    'systemctl',
    'case $1 in show) [ -e "$HOME/works-$(basename "$(readlink "$HOME/home/current")")" ] && echo 0 || echo 1;; esac',
  )
  writeProgram(
    'runuser',
    '[ -e "$HOME/works-$(basename "$(readlink "$HOME/home/current")")" ] && echo "The server is running and is ready." || true',
  )
})

afterEach(() => rmSync(folder, { recursive: true }))

function git(...args: readonly string[]): void {
  expect(spawnSync('git', args, { cwd: join(folder, 'source') }).status).toBe(0)
}

function writeProgram(name: string, body: string): void {
  const file = join(folder, 'bin', name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\n${body}\n`)
  chmodSync(file, 0o755)
}

const works = (release: string) => writeFileSync(join(folder, `works-${release}`), '')

function release(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(join(folder, 'source/deploy/release.sh'), args, {
    encoding: 'utf8',
    env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, HOME: folder, RELEASE_HOME: join(folder, 'home') },
  })
  return { status, stdout, stderr, current: readlinkSync(join(folder, 'home/current')) }
}

test('a release that crashes is rolled back', () => {
  works(OLD)
  const { status, stderr, current } = release()
  expect([status, current]).toEqual([1, `releases/${OLD}`])
  expect(stderr).toContain(`Rolled back to ${OLD}.`)
})

test('if the previous release doesn’t start either, the message says what to do', () => {
  const { status, stderr, current } = release()
  expect([status, current]).toEqual([1, `releases/${OLD}`])
  expect(stderr).toContain(`Rolled back to ${OLD}, but it isn't ready, either.`)
  expect(stderr).toContain('restore the backup')
})

test('a release that is ready stays, and the one before it is kept', () => {
  writeProgram('npm', 'touch "$HOME/works-$(basename "$PWD")"')
  const { status, stdout, current } = release()
  expect(status).toBe(0)
  expect(stdout).toContain(`${current.replace('releases/', '')} is running.`)
  expect(readdirSync(join(folder, 'home/releases'))).toContain(OLD)
})
