/**
 * A server's life on a real Debian (debian.ts): install, an edit by its folder's repository, timers, a hostile publishing user, kills,
 * a reboot, full and missing disks, upgrades, and going back. Only certbot and the internet are stood in for.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { leadQuery } from '../../domain/leads/lead.ts'
import { contactOf } from '../../tests/support/lead-store.ts'
import { Debian, type Suite } from './debian.ts'

const PACKAGES = ['nginx', 'certbot', 'libatomic1', 'git', 'openssh-client', 'openssh-server']
const project = join(import.meta.dirname, '../..')
const scripts = join(import.meta.dirname, 'on-debian')
const HOSTS = '127.0.0.1 www.acme.test acme.test desk.acme.test www.new.test new.test desk.new.test\n'
const NAMES = '--domain www.acme.test --desk desk.acme.test --email it@acme.test'
const NODE = '/srv/ssdi-advocate/current/node_modules/.bin/node'
const SETUP = '/srv/ssdi-advocate/current/deploy/setup.sh'
const RELEASE = '/srv/ssdi-advocate/current/deploy/release.sh'
/** The last release before this one, as its operators have it. */
const OLD = '93815861'

export type Row = readonly [what: string, measured: string, met: boolean]

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`
const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

async function until(what: string, isTrue: () => boolean, limit = 120): Promise<string> {
  const start = performance.now()
  while (!isTrue()) {
    if (performance.now() - start > limit * 1000) throw new Error(`Waited ${limit} s in vain: ${what}`)
    await sleep(200)
  }
  return seconds(start)
}

/** Of the current commit. */
function releaseFile(): string {
  const folder = join(project, 'releases')
  const committed =
    Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: project, encoding: 'utf8' })) * 1000
  const find = () => readdirSync(folder).find(name => name.endsWith('-linux-x64.tar.gz')) ?? ''
  const isCurrent = existsSync(join(folder, 'SHA256SUMS')) && statSync(join(folder, 'SHA256SUMS')).mtimeMs > committed
  if (!isCurrent) execFileSync('npm', ['run', 'release', '--', 'x64'], { cwd: project, stdio: 'inherit' })
  return join(folder, find())
}

class Server {
  readonly rows: Row[] = []
  readonly machine: Debian
  readonly file: string

  private constructor(machine: Debian, file: string) {
    this.machine = machine
    this.file = file
  }

  static async start(suite: Suite, file: string): Promise<Server> {
    const machine = new Debian(suite, PACKAGES)
    await machine.boot()
    const server = new Server(machine, file)
    machine.write('/usr/local/bin/certbot', readFileSync(join(scripts, 'certbot')), '755')
    for (const name of ['load.mjs', 'receiver.mjs', 'desk.mjs'])
      machine.write(`/root/${name}`, readFileSync(join(scripts, name)))
    machine.write(
      '/root/queries',
      Array.from({ length: 20_000 }, (_, index) => leadQuery(contactOf(`lead-${index}`))).join('\n'),
    )
    machine.run(`printf '${HOSTS}' >>/etc/hosts`)
    return server
  }

  check(what: string, measured: string, met: boolean): void {
    this.rows.push([what, measured, met])
    console.log(`${this.machine.name}: ${met ? 'ok    ' : 'FAILED'} ${what}${measured && `: ${measured}`}`)
  }

  copyRelease(): void {
    this.machine.write('/root/SHA256SUMS', readFileSync(join(this.file, '../SHA256SUMS')))
    this.machine.write(`/root/${this.name}`, readFileSync(this.file))
  }

  get name(): string {
    return this.file.split('/').at(-1) ?? ''
  }

  is(command: string): boolean {
    return this.machine.try(command).status === 0
  }

  /** Names of leads that the server acknowledged, and for how many seconds it refused them. */
  async underLoad(during: () => void | Promise<void>): Promise<{ acknowledged: string[]; refused: string }> {
    this.machine.run(`rm -f /root/load.log; systemd-run --quiet --collect --unit=load ${NODE} /root/load.mjs`)
    await until('a lead', () => this.is('grep -q " 202 " /root/load.log'))
    await during()
    await sleep(3000)
    this.machine.run('systemctl stop load')
    const lines = this.machine.run('cat /root/load.log').trim().split('\n')
    const sent = lines.map(line => line.split(' ')).map(([at, status, name = '']) => ({ at: Number(at), status, name }))
    const gaps = sent
      .filter(({ status }) => status === '202')
      .map(({ at }, index, all) => at - (all[index - 1]?.at ?? at))
    return {
      acknowledged: sent.filter(({ status }) => status === '202').map(({ name }) => name),
      refused: `${(Math.max(...gaps) / 1000).toFixed(1)} s`,
    }
  }

  /** How many of these leads are not in the store. */
  lost(acknowledged: readonly string[]): number {
    const stored = new Set(
      this.machine
        .run('leads export')
        .split('\n')
        .flatMap(line => line.match(/lead-\d+(?=,|")/g) ?? []),
    )
    return acknowledged.filter(name => !stored.has(name)).length
  }

  receive(): void {
    this.machine.run(`systemd-run --quiet --collect --unit=receiver ${NODE} /root/receiver.mjs`)
    this.machine.run(
      `${NODE} /srv/ssdi-advocate/current/cli/settings.ts /etc/ssdi-advocate.env set LEAD_WEBHOOK_URL http://127.0.0.1:9000/leads LEAD_WEBHOOK_FORMAT json ALERT_WEBHOOK_URL http://127.0.0.1:9000/alerts`,
    )
    this.machine.run('systemctl restart ssdi-advocate ssdi-advocate-desk')
  }
}

export async function installOn(suite: Suite): Promise<readonly Row[]> {
  const server = await Server.start(suite, releaseFile())
  try {
    await install(server)
    await edit(server)
    await runUnits(server)
    await beHostile(server)
    await breakSettings(server)
    await fillDisks(server)
    await killIt(server)
    await releaseAgain(server)
  } finally {
    await server.machine.remove()
  }
  const old = await Server.start(suite, releaseFile())
  try {
    await upgradeFromOld(old)
  } finally {
    await old.machine.remove()
  }
  return [...server.rows, ...old.rows]
}

/** From an empty machine to a lead at the webhook, with another site on the same nginx. */
async function install(server: Server): Promise<void> {
  const { machine } = server
  machine.run('apt-get install -qy git openssh-server && mkdir -p /run/sshd && /usr/sbin/sshd -p 2222')
  machine.run(
    'useradd -m -s /bin/bash marketing && git init -q -b main /home/marketing/site && chown -R marketing: /home/marketing',
  )
  const start = performance.now()
  server.copyRelease()
  machine.run(
    `cd /root && sha256sum --check --quiet SHA256SUMS && mkdir unpacked && tar -xzf ${server.name} -C unpacked`,
  )
  // The repository's first commit: what `npm run site -- new` makes on a marketer's computer.
  machine.run('apt-get install -qy libatomic1')
  machine.run(
    'unpacked=/root/unpacked; $unpacked/node_modules/.bin/node $unpacked/site-folder/main.ts new /tmp/new && cp -r /tmp/new/. /home/marketing/site/ && chown -R marketing: /home/marketing/site',
  )
  commit(machine, 'First')
  const command = `cd /root/unpacked && deploy/setup.sh ${NAMES} --site-from ssh://marketing@127.0.0.1:2222/home/marketing/site --time-zone America/Chicago --yes`
  const first = machine.try(command)
  server.check(
    'without its key in the repository, setup stops and prints it',
    '',
    first.status === 1 && /ssh-ed25519/.test(first.stderr),
  )
  machine.run(
    'install -d -o marketing -m 700 /home/marketing/.ssh && install -o marketing /etc/ssdi-advocate-site.key.pub /home/marketing/.ssh/authorized_keys',
  )
  const { status, stdout, stderr } = machine.try(command)
  server.check('setup', '', status === 0 && /Done: https:\/\/www\.acme\.test is up/.test(stdout))
  if (status !== 0) throw new Error(`${stdout}\n${stderr}`)
  server.receive()
  await until('the server', () => server.is('curl -skf https://www.acme.test/readyz'))
  const sent = machine.run(`${NODE} /root/load.mjs 19999`)
  server.check('a lead through nginx', sent.slice(0, 200), /accepted/.test(sent))
  await until('the lead at the webhook', () => server.is('grep -q lead-19999 /root/received'))
  server.check(
    'from an empty machine to a lead at the webhook, under 10 min',
    seconds(start),
    performance.now() - start < 600_000,
  )
  const desk = machine.try(
    `runuser -u ssdi-advocate -- env SETTINGS_FILE=/etc/ssdi-advocate.env ${NODE} --input-type=module </root/desk.mjs`,
  )
  server.check('the desk shows it', desk.stderr, /lead-19999/.test(desk.stdout))
  machine.run('systemctl start ssdi-advocate-backup ssdi-advocate-copy')
  const doctor = machine.try('leads doctor')
  server.check('leads doctor', doctor.stdout.trim().split('\n').at(-1) ?? '', doctor.status === 0)
  const names = 'ssdi-advocate ssdi-advocate-desk ssdi-advocate-publish'
  server.check(
    'nothing failed',
    machine.run('systemctl --failed --plain --no-legend'),
    server.is(`systemctl is-active -q ${names}`),
  )
}

function commit(machine: Debian, words: string): void {
  const git = 'git -c user.name=M -c user.email=m@acme.test'
  machine.run(
    `cd /home/marketing/site && runuser -u marketing -- ${git} add -A && runuser -u marketing -- ${git} commit -qm '${words}'`,
  )
}

async function edit(server: Server): Promise<void> {
  const { machine } = server
  machine.run(`cd /home/marketing/site && printf '[landing.hero]\\nheadline = "Out of work since spring?"\\n' >en.toml`)
  commit(machine, 'Edit')
  const live = await until(
    'the edit',
    () => server.is('curl -sk https://www.acme.test/ | grep -q "Out of work since spring"'),
    180,
  )
  server.check('an edit in the repository is live', live, true)
  const used = () =>
    Number(
      machine
        .run('du -sm /srv/ssdi-advocate-site /var/lib/ssdi-advocate-fetch | cut -f 1 | paste -sd +')
        .trim()
        .split('+')
        .reduce((sum, size) => sum + Number(size), 0),
    )
  const before = used()
  // 4 GB of zeros are 4 MB in git; 300 MB of noise aren't.
  machine.run(
    'cd /home/marketing/site && mkdir -p pictures && for n in $(seq 40); do truncate -s 100M pictures/zeros$n; done',
  )
  commit(machine, 'Fill the disk')
  await until('a refusal', () => server.is('journalctl -u ssdi-advocate-fetch | grep -q "more than 200 MB"'))
  machine.run(
    'cd /home/marketing/site && rm -r pictures && mkdir pictures && head -c 300M /dev/urandom >pictures/noise',
  )
  commit(machine, 'Fill it with noise')
  await until('another refusal', () => server.is('journalctl -u ssdi-advocate-fetch | grep -q "may have 250 MB"'), 240)
  server.check(
    'pushes of 4 GB and of 300 MB are refused, and fill nothing',
    `${used() - before} MB more`,
    used() - before < 5,
  )
  machine.run('cd /home/marketing/site && rm -r pictures')
  commit(machine, 'Small again')
  await until(
    'the next fetch',
    () =>
      server.is(
        'test "$(cat /srv/ssdi-advocate-site/current/.git/HEAD)" = "$(git --git-dir /home/marketing/site/.git rev-parse HEAD)"',
      ),
    240,
  )
}

/** Each service with its own restrictions, also after a stop and a start. */
async function runUnits(server: Server): Promise<void> {
  const { machine } = server
  const units = machine.run('ls /etc/systemd/system | grep "^ssdi-advocate.*service$"').trim().split('\n')
  for (const unit of units) {
    const isTimed = /backup|copy|fetch/.test(unit)
    const { status } = machine.try(`systemctl ${isTimed ? 'start' : 'restart'} ${unit}`)
    const score = /: (\d\.\d)/.exec(machine.run(`systemd-analyze security ${unit} --no-pager | tail -n 1`))?.[1]
    server.check(`${unit} runs; exposure below 2`, `${score}`, status === 0 && Number(score) < 2)
  }
  const limit = machine
    .run(
      'cat /sys/fs/cgroup/memory/system.slice/ssdi-advocate-publish.service/memory.limit_in_bytes /sys/fs/cgroup/pids/system.slice/ssdi-advocate-publish.service/pids.max',
    )
    .trim()
    .split('\n')
  server.check('limits of publishing: 600 MB, 64 tasks', limit.join(', '), limit.join() === '629145600,64')
  machine.run('systemctl stop ssdi-advocate ssdi-advocate-desk && systemctl start ssdi-advocate ssdi-advocate-desk')
  server.check('publishing is back after a stop and a start', '', await isActive(server, 'ssdi-advocate-publish'))
  machine.run(
    'truncate -s 300M /root/backups && mkfs.ext4 -q /root/backups && cp -a /var/backups/ssdi-advocate /root/kept && mount -o loop /root/backups /var/backups/ssdi-advocate && cp -a /root/kept/. /var/backups/ssdi-advocate/ && chown ssdi-advocate: /var/backups/ssdi-advocate',
  )
  server.check(
    'the backup runs on a disk of its own',
    '',
    server.is('systemctl start ssdi-advocate-backup ssdi-advocate-copy'),
  )
}

async function isActive(server: Server, unit: string): Promise<boolean> {
  await until(unit, () => server.is(`systemctl is-active -q ${unit}`), 30).catch(() => {})
  return server.is(`systemctl is-active -q ${unit}`)
}

/** What whoever took over the publishing user could try. */
async function beHostile(server: Server): Promise<void> {
  const { machine } = server
  const publisher = 'runuser -u ssdi-advocate-publish --'
  const state = () =>
    machine.run(
      'find /etc /usr/local /root/unpacked /srv/ssdi-advocate -not -path "*/sites/*/*" -not -name "*.service.wants" -printf "%p %u %m %l\\n" | sort | sha256sum; sha256sum /etc/shadow /etc/passwd /etc/ssdi-advocate.env | sha256sum',
    )
  const before = state()
  machine.run('systemctl stop ssdi-advocate-publish')
  const own = machine.run('dirname "$(realpath /srv/ssdi-advocate/current/built)"').trim()
  const target = 'ln -sfn /etc/shadow'
  for (const trick of [
    `rm -f ${own}/live && ln -s /etc ${own}/live`,
    `${target} ${own}/status.json`,
    `${target} ${own}/new-link`,
    `mkdir -p "${own}/new-a b;\\$(touch /tmp/ran)" && ${target} "${own}/new-a b;\\$(touch /tmp/ran)/x"`,
  ])
    machine.try(`${publisher} sh -c '${trick}'`)
  const refused = [
    'cat /var/lib/ssdi-advocate/leads.sqlite',
    'cat /etc/ssdi-advocate.env',
    'cat /var/backups/ssdi-advocate/latest.backup',
    'touch /srv/ssdi-advocate/sites/x',
    'ln -sfn /etc /srv/ssdi-advocate/current',
    `mv ${own} ${own}.moved`,
    'touch /srv/ssdi-advocate-site/current/en.toml',
    'ln -sf /etc/shadow /run/ssdi-advocate-publish.env',
  ].filter(command => server.is(`${publisher} ${command}`))
  server.check(
    'the publishing user reads no store, setting, or backup, and changes nothing of root’s',
    refused.join('; '),
    refused.length === 0,
  )
  const served = ['passwd', 'live/passwd', 'shadow', 'hostname'].filter(path =>
    server.is(`curl -skf https://www.acme.test/${path}`),
  )
  server.check('the server serves nothing from outside its output', served.join(), served.length === 0)
  machine.run('systemctl restart ssdi-advocate')
  const again = machine.try(`cd /root && ${RELEASE} ${server.name}`)
  machine.run(
    `${RELEASE} back; find /srv/ssdi-advocate/releases -mindepth 1 -maxdepth 1 ! -name "$(basename "$(readlink /srv/ssdi-advocate/current)")" -exec rm -r {} + -o -name '.worked' -delete; true`,
  )
  server.check(
    'root follows none of its links, also at a release',
    again.stderr.slice(-200),
    state().split('\n')[1] === before.split('\n')[1] && !server.is('test -e /tmp/ran'),
  )
  await until(
    'publishing',
    () => server.is('curl -sk https://www.acme.test/ | grep -q "Out of work since spring"'),
    180,
  )
}

/** Mistakes in setup, and other sites on the same nginx. */
async function breakSettings(server: Server): Promise<void> {
  const { machine } = server
  const up = () => server.is('curl -skf https://www.acme.test/readyz && curl -skf https://desk.acme.test/')
  const typo = machine.try(`${SETUP} --domain wwww.acme.test --desk desk.acme.test --email it@acme.test --yes`)
  machine.run('systemctl restart nginx ssdi-advocate')
  await until('the server', up, 60).catch(() => {})
  const kept = machine.run('grep ^SITE_URL /etc/ssdi-advocate.env').trim()
  server.check(
    'a typo in --domain changes nothing',
    kept,
    typo.status === 1 && up() && kept === 'SITE_URL=https://www.acme.test',
  )
  machine.write(
    '/etc/nginx/sites-enabled/other.conf',
    'server {\n  listen 80 default_server;\n  server_name other.test;\n  return 200 other;\n}\n',
  )
  machine.run('rm /etc/nginx/sites-enabled/ssdi-advocate-default.conf && nginx -t && systemctl restart nginx')
  const beside = machine.try(`${SETUP} ${NAMES} --yes`)
  machine.run('systemctl restart nginx')
  const other = machine.try('curl -s -H "Host: other.test" http://127.0.0.1/').stdout
  server.check(
    'another site’s default server stays, and setup says so',
    beside.stderr.split('\n').find(line => /default server/.test(line)) ?? '',
    other === 'other' && up(),
  )
  machine.run(
    `rm /etc/nginx/sites-enabled/other.conf && sed -i 's/# allow 198/allow 127.0.0.0\\/8; # allow 198/' /etc/nginx/sites-enabled/ssdi-advocate-desk.conf`,
  )
  const moved = machine.try(`${SETUP} --domain www.new.test --desk desk.acme.test --email it@acme.test --yes`)
  await until('the new domain', () => server.is('curl -skf https://www.new.test/readyz'), 60).catch(() => {})
  server.check(
    'a move to another domain',
    moved.stderr.slice(-100),
    moved.status === 0 &&
      server.is(
        'curl -skf https://www.new.test/readyz && grep -q "allow 127.0.0.0/8" /etc/nginx/sites-enabled/ssdi-advocate-desk.conf',
      ),
  )
  machine.run(`${SETUP} ${NAMES} --yes`)
  await until('the old domain', up, 60)
}

async function fillDisks(server: Server): Promise<void> {
  const { machine } = server
  machine.run(
    'truncate -s 60M /root/data && mkfs.ext4 -q /root/data && systemctl stop ssdi-advocate ssdi-advocate-desk && mount -o loop /root/data /mnt && cp -a /var/lib/ssdi-advocate/. /mnt/ && chown ssdi-advocate: /mnt && chmod 700 /mnt && umount /mnt && mv /var/lib/ssdi-advocate /var/lib/before && install -d -o ssdi-advocate -g ssdi-advocate -m 700 /var/lib/ssdi-advocate && mount -o loop /root/data /var/lib/ssdi-advocate && systemctl start ssdi-advocate ssdi-advocate-desk',
  )
  await until('the server', () => server.is('curl -skf https://www.acme.test/readyz'))
  const { acknowledged, refused } = await server.underLoad(async () => {
    machine.try(
      'dd if=/dev/zero of=/var/lib/ssdi-advocate/filler bs=1M 2>/dev/null; dd if=/dev/zero of=/var/lib/ssdi-advocate/filler2 bs=1k 2>/dev/null',
    )
    await sleep(6000)
    machine.run('rm /var/lib/ssdi-advocate/filler*')
    await until('leads', () => server.is('curl -skf https://www.acme.test/readyz'), 60)
  })
  server.check(
    'a full disk: leads lost',
    `${server.lost(acknowledged)} of ${acknowledged.length}, refused for ${refused}`,
    server.lost(acknowledged) === 0,
  )
  machine.run(
    'systemctl stop ssdi-advocate ssdi-advocate-desk && umount /var/lib/ssdi-advocate && systemctl start ssdi-advocate ssdi-advocate-desk',
  )
  await until('pages', () => server.is('curl -skf https://www.acme.test/'))
  const answer = machine.run(`${NODE} /root/load.mjs 19998`)
  const doctor =
    machine
      .try('leads doctor')
      .stdout.split('\n')
      .find(line => /Store/.test(line)) ?? ''
  server.check(
    'a disk that isn’t mounted: leads are refused, and doctor says why',
    doctor.replaceAll(/ +/g, ' '),
    answer.startsWith('503') && !server.is('test -e /var/lib/ssdi-advocate/leads.sqlite') && /mount/.test(doctor),
  )
  machine.run('mount -o loop /root/data /var/lib/ssdi-advocate')
  server.check(
    '…until it is',
    await until('leads', () => server.is('curl -skf https://www.acme.test/readyz'), 60),
    true,
  )
  machine.run(
    'systemctl stop ssdi-advocate ssdi-advocate-desk && umount /var/lib/ssdi-advocate && mount -o loop /root/data /mnt && cp -a /mnt/. /var/lib/ssdi-advocate/ && umount /mnt && systemctl start ssdi-advocate ssdi-advocate-desk && umount /var/backups/ssdi-advocate',
  )
  await until('the server', () => server.is('curl -skf https://www.acme.test/readyz'))
}

async function killIt(server: Server): Promise<void> {
  const { machine } = server
  const killed = await server.underLoad(async () => {
    machine.run('kill -s KILL "$(systemctl show -p MainPID --value ssdi-advocate)"')
    await until('leads', () => server.is('curl -skf https://www.acme.test/readyz'), 60)
  })
  server.check(
    'the server is killed: leads lost',
    `${server.lost(killed.acknowledged)} of ${killed.acknowledged.length}, refused for ${killed.refused}`,
    server.lost(killed.acknowledged) === 0,
  )
  for (const how of ['kill', 'shut down'] as const) {
    machine.run(`rm -f /root/load.log; systemd-run --quiet --collect --unit=load ${NODE} /root/load.mjs`)
    await until('leads', () => server.is('[ "$(grep -c " 202 " /root/load.log)" -gt 20 ]'))
    await machine.stop(how)
    const start = performance.now()
    await machine.boot()
    await until('leads', () => server.is('curl -skf https://www.acme.test/readyz'))
    const back = seconds(start)
    const acknowledged = machine
      .run('grep " 202 " /root/load.log')
      .trim()
      .split('\n')
      .map(line => line.split(' ')[2] ?? '')
    const lost = server.lost(acknowledged)
    server.check(
      `the machine is ${how === 'kill' ? 'killed' : 'rebooted'}: leads lost`,
      `${lost} of ${acknowledged.length}, back after ${back}`,
      lost === 0,
    )
    machine.run(
      `systemd-run --quiet --collect --unit=receiver ${NODE} /root/receiver.mjs; mkdir -p /run/sshd; /usr/sbin/sshd -p 2222`,
    )
  }
}

/** Between releases with the same store. */
async function releaseAgain(server: Server): Promise<void> {
  const { machine } = server
  machine.run('systemctl disable -q --now ssdi-advocate-copy.timer')
  const next = await server.underLoad(() => void machine.run(`cd /root && ${RELEASE} ${server.name}`))
  server.check(
    'the next release: leads lost',
    `${server.lost(next.acknowledged)}, refused for ${next.refused}`,
    server.lost(next.acknowledged) === 0,
  )
  server.check(
    'a timer that was disabled stays disabled',
    '',
    !server.is('systemctl is-enabled -q ssdi-advocate-copy.timer'),
  )
  machine.run(`cd /home/marketing/site && printf '[landing.hero]\\nheadline = "Out of work since summer?"\\n' >en.toml`)
  commit(machine, 'Summer')
  const summer = 'curl -sk https://www.acme.test/ | grep -q "Out of work since summer"'
  await until('the edit', () => server.is(summer), 180)
  const back = await server.underLoad(() => {
    machine.run(
      `(while :; do page=$(curl -skf https://www.acme.test/) && { echo "$page" | grep -q 'since summer' || echo other; }; sleep 0.2; done) >/root/words 2>/dev/null & watch=$!; ${RELEASE} back; kill $watch`,
    )
  })
  server.check(
    'back: leads lost',
    `${server.lost(back.acknowledged)}, refused for ${back.refused}`,
    server.lost(back.acknowledged) === 0,
  )
  const other = machine.run('wc -l </root/words').trim()
  server.check('pages with other words while going back', other, other === '0' && server.is(summer))
}

async function upgradeFromOld(server: Server): Promise<void> {
  const { machine } = server
  await installOld(server)
  server.copyRelease()
  machine.run(`cd /root && mkdir unpacked && tar -xzf ${server.name} -C unpacked`)
  const before = await server.underLoad(async () => void (await sleep(5000)))
  machine.run(`echo "export const edited = 1" >>/srv/ssdi-advocate/current/content/organization.ts`)
  const edited = machine.try('/root/unpacked/deploy/release.sh')
  server.check(
    '0.7.0 with edited words and without a folder: nothing changes',
    '',
    edited.status === 1 &&
      /organization\.ts/.test(edited.stderr) &&
      server.is('curl -skf https://www.acme.test/readyz'),
  )
  machine.run(`sed -i '$d' /srv/ssdi-advocate/current/content/organization.ts`)
  let said = ''
  const upgrade = await server.underLoad(() => {
    const { status, stdout, stderr } = machine.try('/root/unpacked/deploy/release.sh')
    if (status !== 0) throw new Error(`${stdout}\n${stderr}`)
    said = stderr
  })
  const acknowledged = [...before.acknowledged, ...upgrade.acknowledged]
  server.check(
    'the upgrade from 0.7.0: leads lost',
    `${server.lost(acknowledged)} of ${acknowledged.length}, refused for ${upgrade.refused}`,
    server.lost(acknowledged) === 0,
  )
  server.check('…without anything to compare', said.trim(), said.trim() === '')
  const timers = machine
    .run('systemctl list-timers --all --plain --no-legend | grep -o "ssdi-advocate-[a-z]*.timer" | sort')
    .trim()
    .split('\n')
    .join(' ')
  server.check(
    'its units, command, and nginx files are this version’s',
    timers,
    /backup.*copy/.test(timers) &&
      server.is('leads site check; [ $? -lt 2 ] && test -e /etc/nginx/sites-enabled/ssdi-advocate-limits.conf'),
  )
  const doctor = machine.try('leads doctor')
  server.check(
    'leads doctor',
    doctor.stdout.trim().split('\n').at(-1) ?? '',
    doctor.status === 0 && !/isn’t this version/.test(doctor.stdout),
  )
  const refused = machine.try(`${RELEASE} back`)
  server.check(
    'back across the store’s change changes nothing, and says what it takes',
    '',
    refused.status === 1 &&
      /back --restore BACKUP/.test(refused.stderr) &&
      server.is('curl -skf https://www.acme.test/readyz'),
  )
  const backup = machine.run('ls -t /var/backups/ssdi-advocate/leads-*.backup | head -n 1').trim()
  const back = machine.try(`${RELEASE} back --restore ${backup}`)
  await until('0.7.0', () => server.is('curl -skf https://www.acme.test/readyz'), 60).catch(() => {})
  const file = /are in (\S+)\.$/m.exec(back.stdout)?.[1] ?? ''
  const later = new Set(machine.run(`cat ${file || '/dev/null'}; leads export`).match(/lead-\d+/g) ?? [])
  const missing = acknowledged.filter(name => !later.has(name)).length
  server.check(
    'back with the backup: leads in neither the store nor the file',
    `${missing}${back.status === 0 ? '' : back.stderr}`,
    back.status === 0 && missing === 0,
  )
  server.check(
    '0.7.0 takes leads again, and nothing else runs',
    machine.run('systemctl --failed --plain --no-legend'),
    server.is('curl -skf https://www.acme.test/readyz && ! systemctl is-active -q ssdi-advocate-publish'),
  )
  const again = machine.try('/root/unpacked/deploy/release.sh')
  server.check('and can be upgraded again', again.stderr.slice(-300), again.status === 0)
}

/** As its docs say, except that its packages from npm come from a cache: there's no network. */
async function installOld(server: Server): Promise<void> {
  const { machine } = server
  const cache = join(project, '.cache/drill', OLD)
  if (!existsSync(join(cache, 'modules.tar'))) {
    rmSync(cache, { recursive: true, force: true })
    mkdirSync(join(cache, 'source'), { recursive: true })
    execFileSync(
      'sh',
      [
        '-c',
        `git archive ${OLD} | tar -x -C ${cache}/source && cd ${cache}/source && npm ci && tar -cf ../modules.tar node_modules`,
      ],
      { cwd: project, stdio: 'inherit' },
    )
  }
  machine.write(
    '/root/source.tar',
    execFileSync('git', ['archive', '--prefix=source/', OLD], { cwd: project, maxBuffer: 1e9 }),
  )
  machine.write('/root/modules.tar', readFileSync(join(cache, 'modules.tar')))
  machine.run(
    'apt-get install -qy git && mkdir -p /srv/ssdi-advocate && tar -xf /root/source.tar -C /srv/ssdi-advocate && cd /srv/ssdi-advocate/source && git init -q && git add -A && git -c user.name=A -c user.email=a@acme.test commit -qm 0.7.0',
  )
  machine.write(
    '/usr/local/bin/npm',
    '#!/bin/sh\ncase $1 in ci) exec tar -xf /root/modules.tar ;; run) exec node_modules/.bin/node build/main.ts ;; esac\n',
    '755',
  )
  const { status, stdout, stderr } = machine.try(
    `cd /srv/ssdi-advocate/source && deploy/setup.sh ${NAMES} --time-zone America/Chicago --yes`,
  )
  if (status !== 0) throw new Error(`${stdout}\n${stderr}`)
  await until('0.7.0', () => server.is('curl -skf https://www.acme.test/readyz'))
}
