/** Runs deploy/release.sh in a temporary checkout. Fakes replace programs that would change the machine. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { newFolder } from '../support/after-test.ts'

const OLD = '20200101-000000-0000000'
let folder: string

beforeEach(() => {
  folder = newFolder()
  cpSync(join(import.meta.dirname, '../../deploy/release.sh'), join(folder, 'source/deploy/release.sh'))
  write('source/deploy/systemd/ssdi-advocate.service', 'Version=1\n')
  write('source/deploy/nginx/ssdi-advocate.conf', 'server_name www.example.org; # 1\n')
  writeProgram('source/deploy/copy-runtime.sh', 'cp -R "$(dirname "$0")" "$1"')
  git('init', '-q')
  commit()
  write('root/etc/ssdi-advocate.env', ' SITE_URL = "https://www.acme.test"\nLEAD_WEBHOOK_SECRET=abc\n')
  mkdirSync(join(home(), 'releases', OLD), { recursive: true })
  symlinkSync(join('releases', OLD), join(home(), 'current'))
  for (const name of ['sleep', 'id', 'chown', 'journalctl']) writeProgram(`bin/${name}`, '')
  writeProgram('bin/npm', '[ $1 != run ] || cat .env')
  writeProgram('bin/install', 'shift 7; mkdir -p "$1"')
  const isReady = '[ -e "$HOME/works-$(basename "$(readlink "$DESTDIR/srv/ssdi-advocate/current")")" ]'
  // `show` prints how often the service was restarted after it crashed.
  writeProgram(
    'bin/systemctl',
    `case $1 in is-active) echo active;; show) ${isReady} && echo 0 || echo 1;; *) echo "systemctl $*" >>"$HOME/calls";; esac`,
  )
  writeProgram('bin/nginx', 'echo "nginx $*" >>"$HOME/calls"')
  writeProgram(
    'bin/runuser',
    `case $* in *doctor) cat "$HOME/doctor" 2>/dev/null; ${isReady} && echo "The server is running and is ready." || true;; *) shift 6; exec "$@";; esac`,
  )
})

const home = () => join(folder, 'root/srv/ssdi-advocate')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

function git(...args: readonly string[]): void {
  expect(spawnSync('git', args, { cwd: join(folder, 'source') }).status).toBe(0)
}

function commit(): void {
  git('add', '.')
  git('-c', 'user.name=Test', '-c', 'user.email=test@example.org', 'commit', '-qm', 'Test')
}

function write(name: string, text: string): void {
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function writeProgram(name: string, body: string): void {
  write(name, `#!/bin/sh\n${body}\n`)
  chmodSync(join(folder, name), 0o755)
}

const works = (release: string) => write(`works-${release}`, '')
/** The time, which is in the release's name, and whether the release is ready once it runs. */
function build(hour: string, isReady: boolean): void {
  writeProgram('bin/date', `case $1 in +%s) echo 0;; *) echo 20300101-${hour}0000;; esac`)
  writeProgram('bin/npm', isReady ? 'touch "$HOME/works-$(basename "$PWD")"' : '')
}

function release(...args: readonly string[]) {
  const COMMIT = spawnSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: join(folder, 'source'),
    encoding: 'utf8',
  }).stdout.trim()
  const { status, stdout, stderr } = spawnSync(join(folder, 'source/deploy/release.sh'), args, {
    encoding: 'utf8',
    env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, HOME: folder, DESTDIR: join(folder, 'root'), COMMIT },
  })
  return { status, stdout, stderr, current: readlinkSync(join(home(), 'current')).replace('releases/', '') }
}

test('a release that crashes is rolled back; if the previous one doesn’t start either, the message says what to do', () => {
  build('01', false)
  const failed = release()
  expect([failed.status, failed.current]).toEqual([1, OLD])
  expect(failed.stderr).toContain(`Rolled back to ${OLD}, but it isn't ready, either.`)
  expect(failed.stderr).toContain('restore the backup')
  works(OLD)
  build('02', false)
  const { status, stderr, current } = release()
  expect([status, current]).toEqual([1, OLD])
  expect(stderr).toContain(`Rolled back to ${OLD}.`)
})

test('a release that is ready stays; back goes to the last one that worked, and not to one that was left', () => {
  works(OLD)
  build('01', true)
  const { status, stdout, current: first } = release()
  expect([status, stdout]).toEqual([0, expect.stringContaining(`${first} is running.`)])
  expect(readdirSync(join(home(), 'releases'))).toEqual([OLD, first])
  build('02', false)
  expect(release().current).toBe(first)
  build('03', true)
  expect(release().current).toMatch(/^20300101-03/)
  expect(release('back')).toMatchObject({ status: 0, current: first })
  build('04', true)
  expect(release().current).toMatch(/^20300101-04/)
  expect(release('back')).toMatchObject({ status: 0, current: first })
  expect(release('back')).toMatchObject({ status: 0, current: OLD })
  expect(release('back')).toMatchObject({ status: 1, current: OLD, stderr: `No release before ${OLD} has worked.\n` })
})

test('a release that can’t open the store is rolled back, but one that waits for older servers isn’t', () => {
  works(OLD)
  // The server stays up, and logs this every few seconds.
  writeProgram('bin/systemctl', 'case $1 in show) echo 0;; esac')
  const says = (reason: string) =>
    writeProgram('bin/journalctl', `echo '{"code":"store_unopened","reason":"${reason}"}'`)
  says('the disk is full.')
  const { status, stderr, current } = release()
  expect([status, current]).toEqual([1, OLD])
  expect(stderr.match(/Not ready yet: .*"the disk is full\."/g)).toHaveLength(1)
  says('servers or desks of an older version are connected to the database')
  writeProgram(
    'bin/sleep',
    'echo >>"$HOME/waits"; [ $(wc -l <"$HOME/waits") -lt 30 ] || : >"$HOME/works-20300101-020000-$COMMIT"',
  )
  build('02', false)
  expect(release()).toMatchObject({ status: 0 })
})

test('a mistake in the settings stops the release before anything changes', () => {
  write('doctor', 'error    Settings  TIME_ZONE is "Eastern", but that’s no time zone.\n')
  const { status, stdout, current } = release()
  expect([status, current]).toEqual([1, OLD])
  expect(stdout).toContain('TIME_ZONE is "Eastern"')
  expect(readdirSync(join(home(), 'releases'))).toEqual([OLD])
})

test('the build gets the settings that are built into the pages, and no secrets', () => {
  const { stdout } = release()
  expect(stdout).toContain('SITE_URL = "https://www.acme.test"')
  expect(stdout).not.toContain('LEAD_WEBHOOK_SECRET')
})

const unit = 'root/etc/systemd/system/ssdi-advocate.service'
const site = 'root/etc/nginx/sites-enabled/ssdi-advocate.conf'

test('changed units and nginx files are installed before the restart, and go back with the release', () => {
  write(unit, 'Version=1\n')
  write(site, 'server_name www.acme.test; # 1\n')
  build('01', true)
  release()
  expect(read('calls')).not.toContain('daemon-reload')
  write('source/deploy/systemd/ssdi-advocate.service', 'Version=2\n')
  write('source/deploy/nginx/ssdi-advocate.conf', 'server_name www.example.org; # 2\n')
  commit()
  build('02', true)
  expect(release()).toMatchObject({ status: 0, stderr: '' })
  expect([read(unit), read(site)]).toEqual(['Version=2\n', 'server_name www.acme.test; # 2\n'])
  expect(read('calls')).toMatch(
    /daemon-reload\nnginx -t\nsystemctl reload nginx\nsystemctl stop ssdi-advocate-desk\nsystemctl restart ssdi-advocate\n/,
  )
  release('back')
  expect([read(unit), read(site)]).toEqual(['Version=1\n', 'server_name www.acme.test; # 1\n'])
})

test('an edited unit or nginx file stays, and the release says what to compare', () => {
  write(unit, 'Version=1\nNice=1\n')
  write(site, 'server_name www.acme.test; # 1, edited\n')
  write('source/deploy/systemd/ssdi-advocate.service', 'Version=2\n')
  commit()
  build('01', true)
  const { status, stderr } = release()
  expect(status).toBe(0)
  expect(stderr).toContain("systemd/system/ssdi-advocate.service was edited, so it wasn't replaced")
  expect(stderr).toContain('current/deploy/nginx/ssdi-advocate.conf')
  expect(read(unit)).toContain('Nice=1')
})
