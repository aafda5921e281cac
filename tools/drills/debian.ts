/**
 * A Debian machine of our own: its own systemd, users, disks, and network, in namespaces of this machine, so scripts that install things
 * do there what they do on a server. Needs root and debootstrap. The kernel is this machine's: clocks, file limits above its own, and what
 * its seccomp can't do aren't tried. It has no way out: packages are downloaded when it's made.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
  const done = join(base, 'made')
  if (existsSync(done)) return join(base, 'root')
  rmSync(base, { recursive: true, force: true })
  mkdirSync(base, { recursive: true })
  const root = join(base, 'root')
  const quietly = (program: string, ...args: string[]) =>
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  quietly('debootstrap', '--variant=minbase', `--include=${PRESENT}`, suite, root, MIRROR)
  for (const file of ['etc/resolv.conf', 'etc/hosts']) {
    rmSync(join(root, file), { force: true })
    writeFileSync(join(root, file), readFileSync(join('/', file)))
  }
  writeFileSync(join(root, 'etc/apt/sources.list'), `deb ${MIRROR} ${suite} main\n`)
  // A package's server isn't started while it's installed by hand, but is on a machine that runs.
  quietly('chroot', root, 'apt-get', 'update', '-q')
  quietly('chroot', root, 'apt-get', 'install', '-qy', '--download-only', ...later)
  writeFileSync(join(root, 'etc/apt/apt.conf.d/keep'), 'APT::Keep-Downloaded-Packages "true";\n')
  writeFileSync(done, '')
  return root
}

const GROUPS = ['systemd', 'memory', 'pids']

/** Runs in the new namespaces, in $R: what a machine's firmware and kernel would have done. */
const START = `
mount --make-rprivate /
mount -t overlay -o "lowerdir=$BASE,upperdir=$UPPER,workdir=$WORK" overlay "$R"
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
  readonly #base: string
  #systemd: number | null = null

  constructor(suite: Suite, later: readonly string[]) {
    this.name = suites[suite]
    this.#base = makeBase(suite, later)
    for (const part of ['upper', 'work', 'root']) mkdirSync(join(this.#folder, part))
  }

  get #group(): string {
    return this.#folder.replaceAll('/', '-').slice(1)
  }

  /** Resolves when systemd says that everything has started. */
  async boot(): Promise<void> {
    const group = this.#group
    for (const each of GROUPS) mkdirSync(`/sys/fs/cgroup/${each}/${group}`, { recursive: true })
    const enter = GROUPS.map(each => `echo $$ >/sys/fs/cgroup/${each}/${group}/cgroup.procs`).join('; ')
    const flags = '--mount --pid --uts --ipc --net --cgroup --fork'
    const outer = spawn('bash', ['-c', `${enter}; exec setsid unshare ${flags} bash -euc "$START"`], {
      stdio: 'ignore',
      env: {
        PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
        START,
        BASE: this.#base,
        UPPER: join(this.#folder, 'upper'),
        WORK: join(this.#folder, 'work'),
        R: join(this.#folder, 'root'),
      },
    })
    for (let tries = 0; tries < 600; tries++) {
      await new Promise(resolve => setTimeout(resolve, 100))
      if (outer.exitCode !== null) throw new Error(`${this.name} didn’t boot.`)
      this.#systemd ??= childOf(outer.pid ?? 0)
      if (this.#systemd && /running|degraded/.test(this.try('systemctl is-system-running').stdout)) return
    }
    throw new Error(`${this.name} didn’t finish booting.`)
  }

  /** Runs a command line in it, as root. */
  try(command: string, input = ''): Result {
    const within = ['-t', String(this.#systemd), '-m', '-p', '-u', '-i', '-n', '-C', '-r', '-w', 'env', '-i']
    const env = ['HOME=/root', 'LANG=C.UTF-8', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin']
    const { status, stdout, stderr } = spawnSync('nsenter', [...within, ...env, 'bash', '-c', command], {
      encoding: 'utf8',
      input,
      maxBuffer: 1e9,
    })
    return { status: status ?? -1, stdout, stderr }
  }

  run(command: string, input = ''): string {
    const { status, stdout, stderr } = this.try(command, input)
    if (status !== 0) throw new Error(`${this.name}: ${command}\n${stdout}\n${stderr}`)
    return stdout
  }

  write(file: string, text: string | Buffer, mode = '644'): void {
    execFileSync(
      'nsenter',
      [
        '-t',
        String(this.#systemd),
        '-m',
        '-r',
        '-w',
        'sh',
        '-c',
        `mkdir -p "$(dirname ${file})"; cat >${file}; chmod ${mode} ${file}`,
      ],
      { input: text },
    )
  }

  /** Shuts it down; `kill` pulls the plug. */
  async stop(how: 'shut down' | 'kill' = 'shut down'): Promise<void> {
    const pid = this.#systemd
    if (pid === null) return
    spawnSync('kill', ['-s', how === 'kill' ? 'KILL' : 'RTMIN+3', String(pid)])
    for (let tries = 0; existsSync(`/proc/${pid}`); tries++) {
      if (tries > 600) throw new Error(`${this.name} doesn’t shut down.`)
      await new Promise(resolve => setTimeout(resolve, 100))
    }
    this.#systemd = null
    for (const each of GROUPS)
      spawnSync('find', [`/sys/fs/cgroup/${each}/${this.#group}`, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', '+'])
  }

  async remove(): Promise<void> {
    await this.stop('kill')
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** The first process in its own namespace, once it's systemd. */
function childOf(pid: number): number | null {
  const children = existsSync(`/proc/${pid}/task/${pid}/children`)
    ? readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    : ''
  const child = Number(children.split(' ')[0])
  const isSystemd =
    child > 0 &&
    readdirSync(`/proc/${child}`).length > 0 &&
    readFileSync(`/proc/${child}/comm`, 'utf8').trim() === 'systemd'
  return isSystemd ? child : null
}
