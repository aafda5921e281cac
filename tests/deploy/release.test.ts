/** Runs deploy/release.sh in a temporary checkout. Fakes replace programs that would change the machine. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../support/after-test.ts'
import { mountOwnDisk } from '../support/disks.ts'

const OLD = '20200101-000000-0000000'
let folder: string

beforeEach(() => {
  env = {}
  folder = newFolder()
  cpSync(join(import.meta.dirname, '../../deploy/release.sh'), join(folder, 'source/deploy/release.sh'))
  write('source/deploy/systemd/ssdi-advocate.service', 'Version=1\n')
  write('source/deploy/nginx/ssdi-advocate.conf', 'server_name www.example.org; # 1\n')
  for (const name of ['runtime.sh', 'publish.sh'])
    cpSync(join(import.meta.dirname, '../../deploy', name), join(folder, 'source/deploy', name))
  const code = ['content', 'domain', 'launch', 'publish', 'server', 'site', 'site-folder', 'desk'].map(
    name => `${name}/a`,
  )
  for (const name of [...code, 'cli/check/ready.ts']) write(`source/${name}`, '{}')
  write('source/package.json', '{\n  "version": "0.9.0",\n}')
  git('init', '-q')
  commit()
  write('root/etc/ssdi-advocate.env', ' SITE_URL = "https://www.acme.test"\nLEAD_WEBHOOK_SECRET=abc\n')
  mkdirSync(join(home(), 'releases', OLD), { recursive: true })
  symlinkSync(join('releases', OLD), join(home(), 'current'))
  mkdirSync(join(folder, 'root/var/lib/ssdi-advocate'), { recursive: true })
  for (const name of ['sleep', 'id', 'chown']) writeProgram(`bin/${name}`, '')
  buildWith(':')
  // Publishing: what `node publish/main.ts` does.
  writeProgram(
    'bin/node',
    'cp "$SETTINGS_FILE" "$OUTSIDE/settings"; [ ! -e "$OUTSIDE/broken" ] || exit 1; sites=$(dirname "$(readlink built)") && mkdir "$sites/one" && ln -s one "$sites/live"',
  )
  writeProgram('bin/install', 'for folder; do :; done; mkdir -p "$folder"')
  // `show` prints how often the service was restarted after it crashed.
  const crashed =
    '[ -e "$HOME/state-$(basename "$(readlink "$DESTDIR/srv/ssdi-advocate/current")")" ] && echo 0 || echo 1'
  writeProgram(
    'bin/systemctl',
    `case $1 in is-active) echo active;; show) ${crashed};; *) echo "systemctl $*" >>"$HOME/calls";; esac`,
  )
  writeProgram('bin/nginx', 'echo "nginx $*" >>"$HOME/calls"')
  // What the server says, if there is one: `current` is the release that runs.
  const says =
    'cat "$HOME/state-$(basename "$(readlink "$DESTDIR/srv/ssdi-advocate/current")")" 2>/dev/null || echo closed'
  writeProgram(
    'bin/runuser',
    `case $* in *ready.ts) [ ! -e "$HOME/mistake" ] || { cat "$HOME/mistake" >&2; exit 1; }; ${says};; *) shift 3; exec "$@";; esac`,
  )
})

/** What `npm run build` does, besides writing what a release needs. */
function buildWith(more: string): void {
  const built = 'mkdir -p node_modules/node/bin compiled built-desk && touch node_modules/node/bin/node'
  writeProgram('bin/npm', `[ "$1" != run ] || { ${built}; ${more}; }`)
}

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

/** What the server of a release says about its store. If it crashes, it says nothing. */
const says = (release: string, state: string) => write(`state-${release}`, `${state}\n`)
const works = (release: string) => says(release, 'ready')
/** The time, which is in the release's name, and whether the release is ready once it runs. */
function build(hour: string, state: 'ready' | 'crashes' = 'ready'): void {
  writeProgram('bin/date', `echo 20300101-${hour}0000`)
  buildWith(state === 'crashes' ? ':' : `echo ${state} >"$OUTSIDE/state-$(basename "$PWD")"`)
}

let env = {}
function release(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(join(folder, 'source/deploy/release.sh'), args, {
    encoding: 'utf8',
    env: {
      PATH: `${join(folder, 'bin')}:/usr/bin:/bin`,
      HOME: folder,
      DESTDIR: join(folder, 'root'),
      OUTSIDE: folder,
      ...env,
    },
  })
  return { status, stdout, stderr, current: readlinkSync(join(home(), 'current')).replace('releases/', '') }
}

test('a release that crashes is rolled back; if the previous one doesn’t start either, the message says what to do', () => {
  build('01', 'crashes')
  const failed = release()
  expect([failed.status, failed.current]).toEqual([1, OLD])
  expect(failed.stderr).toContain(`Rolled back to ${OLD}, but it isn't ready, either.`)
  expect(failed.stderr).toContain('restore the backup')
  works(OLD)
  build('02', 'crashes')
  const { status, stderr, current } = release()
  expect([status, current]).toEqual([1, OLD])
  expect(stderr).toContain(`Rolled back to ${OLD}.`)
})

test('a release that is ready stays; back goes to the last one that worked, and not to one that was left', () => {
  works(OLD)
  build('01')
  const { status, stdout, current: first } = release()
  expect([status, stdout]).toEqual([0, expect.stringContaining(`${first} is running.`)])
  expect(readdirSync(join(home(), 'releases'))).toEqual([OLD, first])
  build('02', 'crashes')
  expect(release().current).toBe(first)
  build('03')
  expect(release().current).toMatch(/^20300101-03/)
  expect(release('back')).toMatchObject({ status: 0, current: first })
  build('04')
  expect(release().current).toMatch(/^20300101-04/)
  expect(release('back')).toMatchObject({ status: 0, current: first })
  expect(release('back')).toMatchObject({ status: 0, current: OLD })
  expect(release('back')).toMatchObject({
    status: 1,
    current: OLD,
    stderr: expect.stringContaining(`No release before ${OLD} has worked.`),
  })
})

test('a release that says for half a minute that it failed is rolled back, and the message says why, once', () => {
  works(OLD)
  build('01')
  buildWith('echo "failed the disk is full." >"$OUTSIDE/state-$(basename "$PWD")"')
  const { status, stderr, current } = release()
  expect([status, current]).toEqual([1, OLD])
  expect(stderr.match(/Not ready yet: failed the disk is full\.$/gm)).toHaveLength(1)
})

test('an upgrade may take long, and so may waiting for one, even after the database refused once', () => {
  works(OLD)
  build('01')
  // One line per second.
  const state = [
    ...Array(25).fill('failed the database is starting up.'),
    ...Array(60).fill('upgrading servers of an older version are connected.'),
    ...Array(25).fill('failed the database is starting up.'),
    ...Array(60).fill('upgrading'),
    'ready',
  ]
  write('states', state.join('\n'))
  buildWith('echo upgrading >"$OUTSIDE/state-$(basename "$PWD")"')
  writeProgram(
    'bin/sleep',
    'n=$(($(cat "$HOME/n" 2>/dev/null || echo 0) + 1)); echo $n >"$HOME/n"; for f in "$HOME"/state-2030*; do sed -n "$n"p "$HOME/states" >"$f"; done',
  )
  expect(release()).toMatchObject({ status: 0 })
})

test('a mistake in the settings stops the release before anything changes', () => {
  write('mistake', 'TIME_ZONE is "Eastern", but that’s no time zone.\n')
  const { status, stderr, current } = release()
  expect([status, current]).toEqual([1, OLD])
  expect(stderr).toContain('TIME_ZONE is "Eastern"')
  expect(stderr).toContain('Nothing was changed.')
  expect(readdirSync(join(home(), 'releases'))).toEqual([OLD])
})

test('publishing gets the settings that go into pages, and no secrets; it happens before the switch, and an error changes nothing', () => {
  works(OLD)
  write('broken', '')
  const failed = release()
  expect(failed).toMatchObject({ status: 1, current: OLD })
  expect(failed.stderr).toContain("The site can't be published with this release")
  expect([readdirSync(join(home(), 'releases')), readdirSync(join(home(), 'sites'))]).toEqual([[OLD], []])
  rmSync(join(folder, 'broken'))
  build('01')
  const { current } = release()
  expect(read('settings')).toBe(' SITE_URL = "https://www.acme.test"\n')
  // `live` can be switched by the builder, and the release only by root.
  expect(readlinkSync(join(home(), 'current/built'))).toBe(`../../sites/${current}/live`)
  expect(existsSync(join(home(), 'current/built/.'))).toBe(true)
})

test('a release file is installed without git or npm, if it is what SHA256SUMS says, and for this kind of machine', () => {
  works(OLD)
  build('01')
  release()
  const tree = join(folder, 'unpacked')
  cpSync(realpathSync(join(home(), 'current')), tree, { recursive: true, filter: name => !name.endsWith('/built') })
  write('unpacked/deploy/systemd/ssdi-advocate.service', 'Version=2\n')
  write(unit, 'Version=1\n')
  const platform = process.arch === 'x64' ? 'linux-x64' : 'linux-arm64'
  const [file, other] = [platform, 'linux-mips'].map(name => join(folder, `ssdi-advocate-0.9.0-${name}.tar.gz`))
  const pack = `tar -czf ${file} -C ${tree} . && cp ${file} ${other} && sha256sum *.tar.gz >SHA256SUMS`
  expect(spawnSync('sh', ['-c', pack], { cwd: folder }).status).toBe(0)
  for (const program of ['npm', 'git']) writeProgram(`bin/${program}`, 'exit 1')
  writeProgram('bin/date', 'echo 20300102-000000')
  works('20300102-000000-0.9.0')
  expect(release(other ?? '')).toMatchObject({ status: 1, stderr: expect.stringContaining('another kind of machine') })
  expect(release(file ?? '')).toMatchObject({ stderr: '', status: 0, current: '20300102-000000-0.9.0' })
  expect(read(unit)).toBe('Version=2\n')
  expect(existsSync(join(home(), 'unpacked'))).toBe(false)
  writeFileSync(join(folder, 'SHA256SUMS'), read('SHA256SUMS').replace(/^\w/gm, 'x'))
  expect(release(file ?? '')).toMatchObject({ status: 1, stderr: expect.stringContaining('SHA256SUMS') })
})

const unit = 'root/etc/systemd/system/ssdi-advocate.service'
const site = 'root/etc/nginx/sites-enabled/ssdi-advocate.conf'

test('changed units and nginx files are installed before the restart, and go back with the release', () => {
  write(unit, 'Version=1\n')
  write(site, 'server_name www.acme.test; # 1\n')
  build('01')
  release()
  expect(read('calls')).not.toContain('daemon-reload')
  write('source/deploy/systemd/ssdi-advocate.service', 'Version=2\n')
  write('source/deploy/nginx/ssdi-advocate.conf', 'server_name www.example.org; # 2\n')
  commit()
  build('02')
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
  build('01')
  const { status, stderr } = release()
  expect(status).toBe(0)
  expect(stderr).toContain("systemd/system/ssdi-advocate.service was edited, so it wasn't replaced")
  expect(stderr).toContain('current/deploy/nginx/ssdi-advocate.conf')
  expect(read(unit)).toContain('Nice=1')
})

const marker = 'root/var/lib/ssdi-advocate/this-is-the-data-disk'

test('only the first release marks the data disk, so the server doesn’t create a store where it isn’t mounted', () => {
  write('root/etc/ssdi-advocate.env', 'SITE_URL=https://www.acme.test\nDATA_DIR=/var/lib/ssdi-advocate\n')
  build('01')
  expect(release().status).toBe(0)
  expect(existsSync(join(folder, marker))).toBe(false)
  rmSync(home(), { recursive: true })
  build('02')
  expect(release().status).toBe(0)
  expect(existsSync(join(folder, marker))).toBe(true)
})

describe.runIf(process.getuid?.() === 0)('as root', () => {
  test('the build’s user can’t become root, whatever the build writes', () => {
    env = { BUILD_USER: 'nobody' }
    chmodSync(folder, 0o755)
    mkdirSync(join(folder, 'loot'), { mode: 0o777 })
    chmodSync(join(folder, 'loot'), 0o777)
    write('root/secret', 'secret')
    chmodSync(join(folder, 'root/secret'), 0o600)
    rmSync(join(folder, 'bin/chown'))
    rmSync(join(folder, 'bin/install'))
    writeProgram('bin/runuser', `case $* in *ready.ts) echo ready;; *) exec /usr/sbin/runuser "$@";; esac`)
    // A dependency that replaces whatever root might run, read, or install.
    const steal = `#!/bin/sh\nid -u >>"${folder}/loot/who"; cat "${folder}/root/secret" >>"${folder}/loot/secret"`
    buildWith(`
      for file in deploy/*.sh node_modules/node/bin/node; do printf '${steal}' >"$file"; chmod 755 "$file"; done
      printf 'ExecStart=/evil' >deploy/systemd/ssdi-advocate.service
      printf 'exit 1' >server/a
      chmod u+s node_modules/node/bin/node
      mkfifo built-desk/pipe
      ln -s ${folder}/root/secret built-desk/secret`)
    write(unit, 'Version=1\n')
    const { status, stderr } = release()
    expect(stderr).toContain('The build made files that no release has')
    expect(status).toBe(1)
    writeProgram('bin/npm', read('bin/npm').replace('mkfifo', ': '))
    writeProgram('bin/date', 'echo 20300101-020000')
    expect(release()).toMatchObject({ status: 0 })
    expect(readdirSync(join(folder, 'loot'))).toEqual([])
    expect(statSync(join(home(), 'current/node_modules/node/bin/node')).mode & 0o7777).toBe(0o755)
    expect(read(unit)).toBe('Version=1\n')
    expect(readFileSync(join(home(), 'current/server/a'), 'utf8')).toBe('{}')
    expect(lstatSync(join(home(), 'current/built-desk/secret')).isSymbolicLink()).toBe(true)
  })
  test('a full disk changes nothing: no file is emptied, and the release isn’t switched to', () => {
    const disk = mountOwnDisk()
    if (!disk) return
    onTestFinished(() => disk.remove())
    for (const part of ['systemd', 'nginx/sites-enabled'].map(name => join(folder, 'root/etc', name))) {
      mkdirSync(dirname(part), { recursive: true })
      symlinkSync(disk.folder, part)
    }
    mkdirSync(join(folder, 'root/etc/systemd/system'))
    write(unit, 'Version=1\n')
    write(site, 'server_name www.acme.test; # 1\n')
    write('source/deploy/systemd/ssdi-advocate.service', `Version=2 ${'x'.repeat(5000)}\n`)
    write('source/deploy/nginx/ssdi-advocate.conf', `server_name www.example.org; # 2 ${'x'.repeat(5000)}\n`)
    commit()
    build('01')
    disk.fill()
    const { status, stdout, stderr, current } = release()
    expect([status, current, stdout]).toEqual([expect.any(Number), OLD, ''])
    expect(status).not.toBe(0)
    expect(stderr).toContain('No space left on device')
    expect(stderr).toContain('Nothing was changed.')
    expect([read(unit), read(site)]).toEqual(['Version=1\n', 'server_name www.acme.test; # 1\n'])
    expect(existsSync(join(folder, 'calls'))).toBe(false)
    disk.empty()
    build('02')
    expect(release()).toMatchObject({ status: 0, stderr: '' })
    expect(read(unit)).toContain('Version=2')
    expect(readdirSync(dirname(join(folder, site))).filter(name => name.startsWith('.'))).toEqual([])
  })
})
