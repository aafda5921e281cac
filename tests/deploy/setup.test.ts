/** Runs deploy/setup.sh in a temporary folder. Fakes replace programs that would change the machine, and log each call. */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const project = join(import.meta.dirname, '../..')
const names = ['--domain', 'www.acme.test', '--desk', 'desk.acme.test', '--email', 'it@acme.test']
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'setup-'))
  cpSync(join(project, 'deploy'), join(folder, 'source/deploy'), { recursive: true })
  cpSync(join(project, '.env.example'), join(folder, 'source/.env.example'))
  writeProgram('source/deploy/release.sh', 'echo release.sh >>"$CALLS"')
  const logCall = `echo "$(basename "$0") $*" >>"$CALLS"`
  for (const name of ['apt-get', 'useradd', 'systemctl', 'nginx']) writeProgram(`bin/${name}`, logCall)
  writeProgram('bin/id', 'echo 0')
  writeProgram('bin/timedatectl', 'echo America/Chicago')
  // Drops the owner, because the user exists only on a real machine.
  writeProgram(
    'bin/install',
    'for a; do shift; case $a in ssdi-advocate|-o|-g) ;; *) set -- "$@" "$a";; esac; done; /usr/bin/install "$@"',
  )
  writeProgram(
    'bin/certbot',
    `${logCall}; for n; do case $n in *.test) d="$DESTDIR/etc/letsencrypt/live/$n"; case $n in *@*) ;; *) mkdir -p "$d"; : >"$d/fullchain.pem";; esac;; esac; done`,
  )
})

afterEach(() => rmSync(folder, { recursive: true }))

function writeProgram(name: string, body: string): void {
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\n${body}\n`)
  chmodSync(file, 0o755)
}

function setUp(...options: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(join(folder, 'source/deploy/setup.sh'), options, {
    encoding: 'utf8',
    input: '',
    env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, DESTDIR: join(folder, 'root'), CALLS: join(folder, 'calls') },
  })
  return { status, stdout, stderr }
}

const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const calls = () => (existsSync(join(folder, 'calls')) ? read('calls').trim().split('\n') : [])

test('sets up the site, desk, certificates, and backup in an order that lets nginx start', () => {
  expect(setUp(...names, '--yes')).toMatchObject({ status: 0, stderr: '' })
  const settings = read('root/etc/ssdi-advocate.env')
  expect(settings).toMatch(/^SITE_URL=https:\/\/www\.acme\.test$/m)
  expect(settings).toMatch(/^DESK_URL=https:\/\/desk\.acme\.test$/m)
  expect(settings).toMatch(/^TIME_ZONE=America\/Chicago$/m)
  const made = calls()
  expect(made).toContain('systemctl enable --now ssdi-advocate-backup.timer')
  const certificates = made.filter(call => call.startsWith('certbot'))
  expect(certificates).toHaveLength(2)
  // Plain http must be up before certbot runs; the real configuration follows.
  const order = made.map(call => call.split(' ')[0]).filter(name => name === 'nginx' || name === 'certbot')
  expect(order).toEqual(['nginx', 'certbot', 'certbot', 'nginx'])
  expect(read('root/etc/nginx/sites-enabled/ssdi-advocate.conf')).toContain('/live/www.acme.test/fullchain.pem')
  expect(read('root/etc/nginx/sites-enabled/ssdi-advocate-desk.conf')).not.toContain('example.org')
  expect(existsSync(join(folder, 'root/etc/nginx/sites-enabled/ssdi-advocate-acme.conf'))).toBe(false)
})

test('a second run keeps settings and certificates', () => {
  setUp(...names, '--yes')
  const file = join(folder, 'root/etc/ssdi-advocate.env')
  writeFileSync(file, `${readFileSync(file, 'utf8')}LEAD_WEBHOOK_URL=https://crm.acme.test/\n`)
  const before = readFileSync(file, 'utf8')
  writeFileSync(join(folder, 'calls'), '')
  expect(setUp(...names, '--yes').status).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(before)
  expect(calls().some(call => call.startsWith('certbot'))).toBe(false)
})

test.each([
  [['--dry-run'], 0],
  [[], 1],
] as const)('%j without confirmation changes nothing', (options, status) => {
  const { status: exitCode, stdout } = setUp(...names, ...options)
  expect(exitCode).toBe(status)
  expect(stdout).toContain('https://www.acme.test and https://desk.acme.test')
  expect(calls()).toEqual([])
})

test.each([
  [['--domain', 'https://www.acme.test', '--email', 'a@b.test'], '--domain must be a hostname'],
  [['--domain', 'www.acme.test', '--desk', 'www.acme.test', '--email', 'a@b.test'], 'its own hostname'],
  [['--domain', 'www.acme.test'], '--email must be an email address'],
  [['--domain'], '--domain needs a value'],
])('%j is rejected', (options, reason) => {
  const { status, stderr } = setUp(...options)
  expect(status).toBe(1)
  expect(stderr).toContain(reason)
})
