/** Runs deploy/setup.sh in a temporary folder. Fakes replace programs that would change the machine, and log each call. */
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../support/after-test.ts'
import { mountOwnDisk } from '../support/disks.ts'

const project = join(import.meta.dirname, '../..')
const names = ['--domain', 'www.acme.test', '--desk', 'desk.acme.test', '--email', 'it@acme.test']
let folder: string

beforeEach(() => {
  folder = newFolder()
  cpSync(join(project, 'deploy'), join(folder, 'source/deploy'), { recursive: true })
  cpSync(join(project, '.env.example'), join(folder, 'source/.env.example'))
  writeProgram('source/deploy/release.sh', 'echo release.sh >>"$CALLS"')
  const logCall = `echo "$(basename "$0") $*" >>"$CALLS"`
  for (const name of ['apt-get', 'useradd', 'runuser', 'systemctl', 'nginx', 'chown', 'chgrp'])
    writeProgram(`bin/${name}`, logCall)
  writeProgram('bin/id', 'echo 0')
  writeProgram('bin/timedatectl', 'echo America/Chicago')
  // Drops the owner, because the user exists only on a real machine.
  writeProgram(
    'bin/install',
    'for a; do shift; case $a in ssdi-advocate|ssdi-advocate-fetch|-o|-g) ;; *) set -- "$@" "$a";; esac; done; /usr/bin/install "$@"',
  )
  writeProgram(
    'bin/certbot',
    `${logCall}; for n; do case $n in *.test) d="$DESTDIR/etc/letsencrypt/live/$n"; case $n in *@*) ;; *) mkdir -p "$d"; : >"$d/fullchain.pem";; esac;; esac; done`,
  )
})

function writeProgram(name: string, body: string): void {
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\n${body}\n`)
  chmodSync(file, 0o755)
}

const setUp = (...options: readonly string[]) => setUpTyping('', ...options)

function setUpTyping(input: string, ...options: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(join(folder, 'source/deploy/setup.sh'), options, {
    encoding: 'utf8',
    input,
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
  expect(made).toContain('systemctl enable --now ssdi-advocate-backup.timer ssdi-advocate-copy.timer')
  // Plain http must be up before certbot runs; the real configuration follows.
  const order = made.map(call => call.split(' ')[0]).filter(name => name === 'nginx' || name === 'certbot')
  expect(order).toEqual(['nginx', 'certbot', 'certbot', 'certbot', 'nginx'])
  expect(read('root/etc/nginx/sites-enabled/ssdi-advocate.conf')).toContain('/live/www.acme.test/fullchain.pem')
  expect(read('root/etc/nginx/sites-enabled/ssdi-advocate-desk.conf')).not.toContain('example.org')
  expect(existsSync(join(folder, 'root/etc/nginx/sites-enabled/ssdi-advocate-acme.conf'))).toBe(false)
})

test('a key, settings, and backups belong to the service, and the key exists before anyone is asked to keep a copy', () => {
  const { stdout } = setUp(...names, '--yes')
  const made = calls()
  expect(made.filter(call => call.startsWith('ch'))).toEqual([
    `chown -R ssdi-advocate: ${join(folder, 'root/var/lib/ssdi-advocate')}`,
    `chown -R ssdi-advocate: ${join(folder, 'root/var/backups/ssdi-advocate')}`,
    `chgrp ssdi-advocate ${join(folder, 'root/etc/ssdi-advocate.env')}`,
  ])
  const created = made.findIndex(call => /^runuser -u ssdi-advocate .*cli\/main\.ts key$/.test(call))
  expect(created).toBeGreaterThan(made.indexOf('release.sh'))
  expect(stdout).toContain('copy /etc/ssdi-advocate.env and /var/lib/ssdi-advocate/erasure.key')
})

test('an npm that’s already installed is kept; nginx’s welcome page is removed, and unknown hostnames are rejected', () => {
  writeProgram('bin/npm', '')
  const welcome = join(folder, 'root/etc/nginx/sites-enabled/default')
  mkdirSync(dirname(welcome), { recursive: true })
  symlinkSync('/etc/nginx/sites-available/default', welcome)
  mkdirSync(join(folder, 'source/.git'))
  setUp(...names, '--yes')
  expect(calls()).toContain('apt-get install -qy nginx certbot git libatomic1')
  expect(readdirSync(dirname(welcome))).not.toContain('default')
  const others = read('root/etc/nginx/sites-enabled/ssdi-advocate-default.conf')
  expect(others).toContain('listen 443 ssl http2 default_server;')
})

test('nginx gets room for more clients than one address may take, once; a larger number is kept', () => {
  const main = join(folder, 'root/etc/nginx/nginx.conf')
  mkdirSync(dirname(main), { recursive: true })
  writeFileSync(main, 'worker_processes auto;\nevents {\n\tworker_connections 768;\n}\n')
  const expected = 'worker_processes auto;\nworker_rlimit_nofile 20000;\nevents {\n\tworker_connections 8192;\n}\n'
  for (const _ of ['first', 'second']) {
    setUp(...names, '--yes')
    expect(read('root/etc/nginx/nginx.conf')).toBe(expected)
  }
  expect(read('root/etc/nginx/sites-enabled/ssdi-advocate-limits.conf')).toContain('limit_conn ssdi_clients 200;')
  writeFileSync(main, expected.replace('8192', '20000'))
  setUp(...names, '--yes')
  expect(read('root/etc/nginx/nginx.conf')).toContain('worker_connections 20000;')
})

test.runIf(process.getuid?.() === 0)('with a full disk, it stops, and no file is emptied', () => {
  const disk = mountOwnDisk()
  if (!disk) return
  onTestFinished(() => disk.remove())
  mkdirSync(join(folder, 'root/etc/nginx'), { recursive: true })
  symlinkSync(disk.folder, join(folder, 'root/etc/nginx/sites-enabled'))
  setUp(...names, '--yes')
  const file = 'root/etc/nginx/sites-enabled/ssdi-advocate.conf'
  const before = read(file)
  appendFileSync(join(folder, 'source/deploy/nginx/ssdi-advocate.conf'), '# new\n')
  disk.fill()
  const { status, stderr } = setUp(...names, '--yes')
  expect([status === 0, stderr]).toEqual([false, expect.stringContaining('No space left on device')])
  expect(read(file)).toBe(before)
})

const redirect = 'root/etc/nginx/sites-enabled/ssdi-advocate-redirect.conf'

test.each([
  ['www.acme.test', 'acme.test'],
  ['acme.test', 'www.acme.test'],
])('with the site at %s, %s redirects to it', (domain, other) => {
  expect(setUp('--domain', domain, '--email', 'it@acme.test', '--yes').status).toBe(0)
  const configured = read(redirect)
  expect(configured).toContain(`server_name ${other};`)
  expect(configured).toContain(`/live/${other}/fullchain.pem`)
  expect(configured).toContain(`return 308 https://${domain}$request_uri`)
  expect(configured.replaceAll(/^ *#.*$/gm, '')).not.toContain('example.org')
})

test('a bare domain that points elsewhere is left out, with a note', () => {
  const certbot = read('bin/certbot')
  writeFileSync(
    join(folder, 'bin/certbot'),
    certbot.replace('#!/bin/sh\n', '#!/bin/sh\ncase $* in *" acme.test "*) exit 1;; esac\n'),
  )
  const { status, stdout } = setUp(...names, '--yes')
  expect(status).toBe(0)
  expect(existsSync(join(folder, redirect))).toBe(false)
  expect(stdout).toContain("acme.test doesn't lead here")
  // Running it again doesn't take the site down: Let's Encrypt's check gets a server for the missing name only.
  writeProgram('bin/nginx', 'grep -h server_name "$DESTDIR"/etc/nginx/sites-enabled/* >>"$CALLS"')
  setUp(...names, '--yes')
  expect(calls()).toContain('    server_name acme.test;')
  expect(calls().filter(call => call === '    server_name www.acme.test;')).toHaveLength(4)
  // The site's own certificate must not fail silently.
  writeFileSync(join(folder, 'bin/certbot'), '#!/bin/sh\nexit 1\n')
  rmSync(join(folder, 'root/etc/letsencrypt'), { recursive: true })
  expect(setUp(...names, '--yes').status).not.toBe(0)
})

test('a subdomain has no bare domain to redirect', () => {
  expect(setUp('--domain', 'ssdi.acme.test', '--email', 'it@acme.test', '--yes').status).toBe(0)
  expect(existsSync(join(folder, redirect))).toBe(false)
})

const zoneOf = () => /^TIME_ZONE=(.*)$/m.exec(read('root/etc/ssdi-advocate.env'))?.[1]

test.each([
  ['offers the machine’s', 'America/Chicago', 'y\n\n', ['Time zone [America/Chicago]: '], 'America/Chicago'],
  [
    'asks until there is one on a machine in UTC',
    'Etc/UTC',
    'y\n\nEastern\nAmerica/Denver\n',
    ['Time zone: ', "There's no time zone Eastern."],
    'America/Denver',
  ],
])('asks for the time zone, and %s', (_, machine, input, said, zone) => {
  writeProgram('bin/timedatectl', `echo ${machine}`)
  const { stdout } = setUpTyping(input, ...names)
  for (const text of said) expect(stdout).toContain(text)
  expect(zoneOf()).toBe(zone)
})

test('on a machine in UTC, --yes needs --time-zone, but not in a second run', () => {
  writeProgram('bin/timedatectl', 'echo Etc/UTC')
  const { status, stderr } = setUp(...names, '--yes')
  expect([status, stderr]).toEqual([1, expect.stringContaining('--time-zone America/New_York')])
  expect(calls()).toEqual([])
  expect(setUp(...names, '--yes', '--time-zone', 'America/New_York').status).toBe(0)
  expect(zoneOf()).toBe('America/New_York')
  expect(setUp(...names, '--yes').status).toBe(0)
})

test('a second run keeps settings and certificates, and without --desk, the desk', () => {
  setUp(...names, '--yes')
  const file = join(folder, 'root/etc/ssdi-advocate.env')
  writeFileSync(file, `${readFileSync(file, 'utf8')}LEAD_WEBHOOK_URL=https://crm.acme.test/\n`)
  const before = readFileSync(file, 'utf8')
  writeFileSync(join(folder, 'calls'), '')
  expect(setUp(...names, '--yes').status).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(before)
  expect(calls().some(call => call.startsWith('certbot'))).toBe(false)
  // Even if a certificate is missing.
  rmSync(join(folder, 'root/etc/letsencrypt/live/acme.test'), { recursive: true })
  expect(setUp('--domain', 'www.acme.test', '--email', 'it@acme.test', '--yes').status).toBe(0)
  expect(existsSync(join(folder, 'root/etc/nginx/sites-enabled/ssdi-advocate-desk.conf'))).toBe(true)
})

test('a second run with other hostnames says so, and changes them', () => {
  setUp(...names, '--yes')
  const file = join(folder, 'root/etc/ssdi-advocate.env')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^SITE_URL=(.*)$/m, 'export SITE_URL = "$1"'))
  const moved = ['--domain', 'www.new.test', '--desk', 'desk.new.test', '--email', 'it@acme.test']
  const { stdout } = setUp(...moved, '--dry-run')
  expect(stdout).toContain('SITE_URL changes from https://www.acme.test to https://www.new.test')
  expect(stdout).toContain('DESK_URL changes from https://desk.acme.test to https://desk.new.test')
  expect(setUp(...moved, '--yes')).toMatchObject({ status: 0 })
  const lines = read('root/etc/ssdi-advocate.env').split('\n')
  expect(lines.filter(line => /^[^#]*_URL/.test(line))).toEqual([
    'export SITE_URL =https://www.new.test',
    'DESK_URL=https://desk.new.test',
  ])
  expect(read('root/etc/nginx/sites-enabled/ssdi-advocate.conf')).not.toContain('acme.test')
  expect(setUp(...moved, '--dry-run').stdout).not.toContain('changes from')
})

test('settings written by hand are kept, however they’re spaced, and new ones start on their own line', () => {
  mkdirSync(join(folder, 'root/etc'), { recursive: true })
  const file = join(folder, 'root/etc/ssdi-advocate.env')
  writeFileSync(file, ' export TIME_ZONE = America/Denver\nSITE_URL = https://www.acme.test\nPORT=3000')
  expect(setUp(...names, '--yes')).toMatchObject({ status: 0 })
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const found = lines.map(line => line.trim().split(/\s*=/)[0])
  expect(found).toEqual(['export TIME_ZONE', 'SITE_URL', 'PORT', 'TRUST_PROXY', 'DATA_DIR', 'ERASURE_LIST', 'DESK_URL'])
})

test.each([
  [['--dry-run'], 0],
  [[], 1],
] as const)('%j without confirmation changes nothing', (options, status) => {
  const { status: exitCode, stdout } = setUp(...names, ...options)
  expect(exitCode).toBe(status)
  expect(stdout).toContain('https://www.acme.test and https://desk.acme.test')
  expect(stdout.match(/\b\d\.(?= )/g)).toEqual(['1.', '2.', '3.', '4.', '5.', '6.', '7.', '8.'])
  expect(calls()).toEqual([])
})

test.each([
  [['--domain', 'https://www.acme.test', '--email', 'a@b.test'], '--domain must be a hostname'],
  [['--domain', 'www.acme.test', '--desk', 'www.acme.test', '--email', 'a@b.test'], 'its own hostname'],
  [['--domain', 'www.acme.test'], '--email must be an email address'],
  [['--domain'], '--domain needs a value'],
  [[...names, '--time-zone', 'Eastern'], '--time-zone must be a name'],
  [[...names, '--time-zone', '../passwd'], '--time-zone must be a name'],
])('%j is rejected', (options, reason) => {
  const { status, stderr } = setUp(...options)
  expect(status).toBe(1)
  expect(stderr).toContain(reason)
})

test('without --site-from, a new installation gets a folder that its administrator can edit; others keep their words', () => {
  const site = join(folder, 'root/srv/ssdi-advocate-site')
  writeProgram(
    'bin/runuser',
    `echo "runuser $*" >>"$CALLS"; case "$*" in *" new "*) : >"$DESTDIR/srv/ssdi-advocate-site/organization.toml";; esac`,
  )
  const { status, stdout } = setUp(...names, '--yes')
  expect([status, stdout]).toEqual([
    0,
    expect.stringContaining('Your site is the folder /srv/ssdi-advocate-site. root'),
  ])
  const program = join(folder, 'root/srv/ssdi-advocate/current')
  const made = calls()
  const making = `runuser -u root -- ${program}/node_modules/.bin/node ${program}/site-folder/main.ts new ${site}`
  expect(made.indexOf(making)).toBeGreaterThan(made.indexOf('release.sh'))
  expect(made.indexOf('systemctl restart ssdi-advocate')).toBeGreaterThan(made.indexOf(making))
  expect(read('root/etc/ssdi-advocate.env')).toMatch(/^SITE_FOLDER=\/srv\/ssdi-advocate-site$/m)
  // Fetching would delete what someone has edited there.
  const { stderr } = setUp(...names, '--yes', '--site-from', 'git@github.test:acme/site.git')
  expect(stderr).toContain(`${site} has files.`)

  rmSync(join(folder, 'root'), { recursive: true })
  mkdirSync(join(folder, 'root/etc'), { recursive: true })
  writeFileSync(join(folder, 'root/etc/ssdi-advocate.env'), 'TIME_ZONE=America/Chicago\n')
  expect(setUp(...names, '--yes').status).toBe(0)
  expect(existsSync(site)).toBe(false)
})

test('with --site-from, the site’s folder is fetched before the first release; if it can’t be, the message has the key to add', () => {
  const from = [...names, '--yes', '--site-from', 'git@github.test:acme/site.git']
  writeProgram('bin/ssh-keygen', 'for f; do :; done; echo private >"$f"; echo public >"$f.pub"')
  writeProgram('bin/runuser', 'exit 1')
  const refused = setUp(...from)
  expect(refused.status).toBe(1)
  expect(refused.stderr).toContain('add this one there, for reading only, and run this script again:\npublic')
  expect(calls()).not.toContain('release.sh')
  writeProgram('bin/runuser', 'echo "runuser $*" >>"$CALLS"')
  expect(setUp(...from)).toMatchObject({ status: 0 })
  expect(read('root/etc/ssdi-advocate.env')).toMatch(/^SITE_FOLDER=\/srv\/ssdi-advocate-site$/m)
  const made = calls()
  const fetched = made.findIndex(call => call.endsWith('fetch.sh git@github.test:acme/site.git'))
  expect(fetched).toBeGreaterThan(0)
  expect(fetched).toBeLessThan(made.indexOf('release.sh'))
  expect(made).toContain('systemctl enable --now ssdi-advocate-fetch.timer')
  expect(setUp(...names, '--yes', '--site-from', 'file:///etc').status).toBe(1)
})
