/**
 * A Debian machine of our own: its own systemd, users, disks, and network, in namespaces of this machine, so scripts that install things
 * do there what they do on a server. Needs root and debootstrap. The kernel is this machine's: clocks, file limits above its own, and what
 * its seccomp can't do aren't tried. It has no way out: packages are downloaded when it's made.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export const suites = { bookworm: 'Debian 12', trixie: 'Debian 13' } as const
export type Suite = keyof typeof suites

/** What a rented machine has. */
const PRESENT =
  'systemd,systemd-sysv,dbus,ca-certificates,sudo,openssl,curl,iproute2,procps,cron,e2fsprogs,dbus-user-session'
const MIRROR = 'http://deb.debian.org/debian'

/** Why there can be no such machine here, or null. */
export function whyNoDebian(): string | null {
  if (process.getuid?.() !== 0) return 'it needs root'
  if (spawnSync('which', ['debootstrap', 'unshare', 'nsenter']).status !== 0)
    return 'debootstrap, unshare, or nsenter is missing: apt-get install debootstrap'
  const probe = ['--mount', '--pid', '--net', '--cgroup', '--fork', 'true']
  if (spawnSync('unshare', probe).status !== 0) return 'this machine doesn’t allow namespaces'
  return existsSync('/sys/fs/cgroup/systemd') ? null : 'its systemd needs this kernel’s cgroups in version 1'
}

/** A bare system, made once. `later` is downloaded, not installed. */
function makeBase(suite: Suite, later: readonly string[]): string {
  const base = join(import.meta.dirname, `../../.cache/drill/${suite}`)
  const [root, done] = [join(base, 'root'), join(base, 'made')]
  if (existsSync(done)) return root
  rmSync(base, { recursive: true, force: true })
  mkdirSync(base, { recursive: true })
  const quietly = (program: string, ...args: string[]) =>
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  quietly('debootstrap', '--variant=minbase', `--include=${PRESENT}`, suite, root, MIRROR)
  for (const file of ['etc/resolv.conf', 'etc/hosts']) {
    rmSync(join(root, file), { force: true })
    writeFileSync(join(root, file), readFileSync(join('/', file)))
  }
  writeFileSync(join(root, 'etc/apt/sources.list'), `deb ${MIRROR} ${suite} main\n`)
  writeFileSync(join(root, 'etc/apt/apt.conf.d/keep'), 'APT::Keep-Downloaded-Packages "true";\n')
  // A package's server isn't started while it's installed by hand, but is on a machine that runs.
  quietly('chroot', root, 'apt-get', 'update', '-q')
  quietly('chroot', root, 'apt-get', 'install', '-qy', '--download-only', ...later)
  writeFileSync(done, '')
  return root
}

const GROUPS = ['systemd', 'memory', 'pids']

/** Runs in the new namespaces, with the system in $R: what a machine's firmware and kernel would have done. */
const START = `
mount --make-rprivate /
mount --bind "$R" "$R"
ip link set lo up
mount -t proc proc "$R/proc"
mount -t sysfs -o ro sysfs "$R/sys"
mount -t tmpfs -o mode=755 tmpfs "$R/sys/fs/cgroup"
for group in ${GROUPS.join(' ')}; do
  kind=$group
  [ $group != systemd ] || kind=none,name=systemd
  mkdir "$R/sys/fs/cgroup/$group"
  mount -t cgroup -o $kind cgroup "$R/sys/fs/cgroup/$group"
done
for folder in run tmp dev; do mount -t tmpfs -o mode=1777 tmpfs "$R/$folder"; done
chmod 755 "$R/run" "$R/dev"
mkdir "$R/dev/pts" "$R/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$R/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$R/dev/shm"
ln -s pts/ptmx "$R/dev/ptmx"
ln -s /proc/self/fd "$R/dev/fd"
for device in null:1:3 zero:1:5 full:1:7 random:1:8 urandom:1:9 tty:5:0; do
  IFS=: read -r name major minor <<<"$device"
  mknod -m 666 "$R/dev/$name" c "$major" "$minor"
done
for number in 0 1 2 3 4 5 6 7; do mknod -m 660 "$R/dev/loop$number" b 7 $number; done
mknod -m 660 "$R/dev/loop-control" c 10 237
# In a chroot, units with PrivateUsers= couldn't start. What's mounted later has to reach running services.
cd "$R"
mkdir -p mnt/outside
pivot_root . mnt/outside
exec env -i container=drill PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -c 'umount -l /mnt/outside; mount --make-rshared /; exec "$@"' - /lib/systemd/systemd --log-target=console \
  --log-level=notice systemd.unified_cgroup_hierarchy=0 --show-status=0
`

export interface Result {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

export class Debian {
  readonly name: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'debian-'))
  readonly #root = join(this.#folder, 'root')
  readonly #groups = GROUPS.map(each => `/sys/fs/cgroup/${each}/${this.#folder.split('/').at(-1)}`)
  #systemd = 0

  constructor(suite: Suite, later: readonly string[]) {
    this.name = suites[suite]
    execFileSync('cp', ['-a', '--reflink=auto', makeBase(suite, later), this.#root])
  }

  /** Resolves when systemd says that everything has started. */
  async boot(): Promise<void> {
    for (const group of this.#groups) mkdirSync(group, { recursive: true })
    const enter = this.#groups.map(group => `echo $$ >${group}/cgroup.procs`).join('; ')
    const flags = '--mount --pid --uts --ipc --net --cgroup --fork'
    const outer = spawn('bash', ['-c', `${enter}; exec setsid unshare ${flags} bash -euc "$START"`], {
      stdio: 'ignore',
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', START, R: this.#root },
    })
    for (let tries = 0; tries < 600; tries++) {
      await sleep(100)
      if (outer.exitCode !== null) throw new Error(`${this.name} didn’t boot.`)
      this.#systemd = Number(spawnSync('pgrep', ['-P', String(outer.pid), '-x', 'systemd']).stdout)
      if (this.#systemd > 0 && /running|degraded/.test(this.try('systemctl is-system-running').stdout)) return
    }
    throw new Error(`${this.name} didn’t finish booting.`)
  }

  /** Runs commands in it, as root. */
  try(commands: string, input: string | Buffer = ''): Result {
    const within = ['-t', String(this.#systemd), '-m', '-p', '-u', '-i', '-n', '-C', '-r', '-w', 'env', '-i']
    const env = ['HOME=/root', 'LANG=C.UTF-8', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin']
    const { status, stdout, stderr } = spawnSync('nsenter', [...within, ...env, 'bash', '-ec', commands], {
      encoding: 'utf8',
      input,
      maxBuffer: 1e9,
    })
    return { status: status ?? -1, stdout, stderr }
  }

  /** The same, but a failure ends the drill. */
  run(commands: string, input: string | Buffer = ''): string {
    const { status, stdout, stderr } = this.try(commands, input)
    if (status !== 0) throw new Error(`${this.name}: ${commands}\n${stdout}\n${stderr}`)
    return stdout.trim()
  }

  is(commands: string): boolean {
    return this.try(commands).status === 0
  }

  /** Resolves when the command succeeds, to the time that it took. */
  async until(command: string, seconds = 120): Promise<string> {
    const start = performance.now()
    const passed = () => (performance.now() - start) / 1000
    while (!this.is(command)) {
      if (passed() > seconds) throw new Error(`Waited ${seconds} s in vain: ${command}`)
      await sleep(200)
    }
    return `${passed().toFixed(1)} s`
  }

  write(file: string, text: string | Buffer, mode = '644'): void {
    this.run(`mkdir -p "$(dirname ${file})"; cat >${file}; chmod ${mode} ${file}`, text)
  }

  /** Shuts it down; `kill` pulls the plug. */
  async stop(how: 'shut down' | 'kill'): Promise<void> {
    if (this.#systemd === 0) return
    spawnSync('kill', ['-s', how === 'kill' ? 'KILL' : 'RTMIN+3', String(this.#systemd)])
    for (let tries = 0; existsSync(`/proc/${this.#systemd}`); tries++) {
      if (tries > 600) throw new Error(`${this.name} doesn’t shut down.`)
      await sleep(100)
    }
    this.#systemd = 0
    for (const group of this.#groups) spawnSync('find', [group, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', '+'])
  }

  async remove(): Promise<void> {
    await this.stop('kill')
    // Mount points that nothing can be written to.
    spawnSync('chattr', ['-R', '-i', join(this.#root, 'var')])
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
