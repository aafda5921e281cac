/**
 * A server's life on a real Debian (debian.ts): install, edits in its folder's repository, services under their restrictions, a hostile
 * publishing user, mistakes in settings, full and missing disks, kills, a reboot, releases, a lost machine, and the upgrade from 0.7.0.
 * Only certbot and the internet are stood in for.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { leadQuery } from '../../domain/leads/lead.ts'
import { contactOf } from '../../tests/support/lead-store.ts'
import { Debian, type Suite } from './debian.ts'

const PACKAGES = ['nginx', 'certbot', 'libatomic1', 'git', 'openssh-client', 'openssh-server']
const project = join(import.meta.dirname, '../..')
const scripts = join(import.meta.dirname, 'on-debian')
const NAMES = '--domain www.acme.test --desk desk.acme.test --email it@acme.test'
const CURRENT = '/srv/ssdi-advocate/current'
const NODE = `${CURRENT}/node_modules/.bin/node`
const SETUP = `${CURRENT}/deploy/setup.sh`
const RELEASE = `${CURRENT}/deploy/release.sh`
const BACKUPS = '/var/backups/ssdi-advocate'
const DATA = '/var/lib/ssdi-advocate'
const BOTH = 'ssdi-advocate ssdi-advocate-desk'
const READY = 'curl -skf https://www.acme.test/readyz'
const showsOnPage = (words: string) => `curl -sk https://www.acme.test/ | grep -q "${words}"`
/** The last release before this one, as its operators have it. */
const OLD = '93815861'

export type Row = readonly [what: string, measured: string, met: boolean]

/** Of the current commit. */
function releaseFile(): string {
  const folder = join(project, 'releases')
  const git = ['log', '-1', '--format=%ct']
  const committed = Number(execFileSync('git', git, { cwd: project, encoding: 'utf8' })) * 1000
  const isCurrent = existsSync(join(folder, 'SHA256SUMS')) && statSync(join(folder, 'SHA256SUMS')).mtimeMs > committed
  if (!isCurrent) execFileSync('npm', ['run', 'release', '--', 'x64'], { cwd: project, stdio: 'inherit' })
  return join(folder, readdirSync(folder).find(name => name.endsWith('-linux-x64.tar.gz')) ?? '')
}

class Server extends Debian {
  readonly rows: Row[] = []
  readonly #file = releaseFile()
  readonly file = this.#file.split('/').at(-1) ?? ''

  constructor(suite: Suite) {
    super(suite, PACKAGES)
  }

  /** Boots it, and lives these parts of its life. */
  async live(...parts: readonly ((server: Server) => Promise<void>)[]): Promise<readonly Row[]> {
    try {
      await this.boot()
      this.write('/usr/local/bin/certbot', readFileSync(join(scripts, 'certbot')), '755')
      for (const name of readdirSync(scripts)) this.write(`/opt/${name}`, readFileSync(join(scripts, name)))
      const queries = Array.from({ length: 20_000 }, (_, index) => leadQuery(contactOf(`lead-${index}`)))
      this.write('/root/queries', queries.join('\n'))
      this.run('echo 127.0.0.1 www.acme.test acme.test desk.acme.test www.new.test new.test desk.new.test >>/etc/hosts')
      for (const part of parts)
        await part(this).catch(error => this.check(`${part.name}, to its end`, false, String(error)))
    } finally {
      await this.remove()
    }
    return this.rows
  }

  check(what: string, met: boolean, measured = ''): void {
    this.rows.push([what, measured, met])
    console.log(`${this.name}: ${met ? 'ok    ' : 'FAILED'} ${what}${measured && `: ${measured}`}`)
  }

  unpackRelease(): void {
    this.write('/root/SHA256SUMS', readFileSync(join(this.#file, '../SHA256SUMS')))
    this.write(`/root/${this.file}`, readFileSync(this.#file))
    this.run(`cd; sha256sum --check --quiet SHA256SUMS; mkdir unpacked; tar -xzf ${this.file} -C unpacked`)
  }

  /** Sends leads while something happens, and checks that none of those acknowledged is lost. Returns their names. */
  async underLoad(what: string, during: () => unknown): Promise<string[]> {
    await this.sendLeads()
    await during()
    await sleep(3000)
    this.run('systemctl stop load')
    return this.countLost(what)
  }

  async sendLeads(): Promise<void> {
    this.run(`rm -f /root/load.log; systemd-run --quiet --collect --unit=load ${NODE} /opt/load.mjs`)
    await this.until('[ "$(grep -c " 202 " /root/load.log)" -gt 20 ]')
  }

  countLost(what: string): string[] {
    const taken = this.run('grep " 202 " /root/load.log').split('\n')
    const at = taken.map(line => Number(line.split(' ')[0]))
    const names = taken.map(line => line.split(' ')[2] ?? '')
    const gap = Math.max(...at.map((time, index) => time - (at[index - 1] ?? time)))
    const lost = this.missingIn('leads export', names)
    this.check(
      `${what}: leads lost`,
      lost === 0,
      `${lost} of ${names.length}, none taken for ${(gap / 1000).toFixed(1)} s`,
    )
    return names
  }

  /** How many leads are not in what the command prints. */
  missingIn(command: string, names: readonly string[]): number {
    const there = new Set(this.run(command).match(/lead-\d+/g))
    return names.filter(name => !there.has(name)).length
  }

  sendLead(number: number): string {
    return this.run(`${NODE} /opt/load.mjs ${number}`)
  }

  commit(commands: string): void {
    this.run(
      `cd /home/marketing/site; ${commands}; chown -R marketing: .; runuser -u marketing -- sh -c 'git add -A; git commit -qm Change'`,
    )
  }

  doctorPasses(): void {
    const { status, stdout } = this.try('leads doctor')
    this.check('leads doctor', status === 0 && !/isn’t this version/.test(stdout), stdout.trim().split('\n').at(-1))
  }
}

export async function installOn(suite: Suite): Promise<readonly Row[]> {
  const kept = { backups: Buffer.alloc(0), key: '', leads: [] as string[] }
  const keepBackups = async (server: Server) => void Object.assign(kept, await saveBackups(server))
  const restoreThem = (server: Server) => restoreMachine(server, kept)
  const life = [install, edit, runUnits, beHostile, breakSettings, fillDisks, killIt, releaseAgain, keepBackups]
  return [
    ...(await new Server(suite).live(...life)),
    ...(await new Server(suite).live(restoreThem)),
    ...(await new Server(suite).live(upgradeFromOld)),
  ]
}

/** From an empty machine to a lead at the webhook. */
async function install(server: Server): Promise<void> {
  // The repository, with what a marketer has made on another computer.
  const folder = mkdtempSync(join(tmpdir(), 'folder-'))
  execFileSync(process.execPath, ['site-folder/main.ts', 'new', join(folder, 'site')], {
    cwd: project,
    stdio: 'ignore',
  })
  server.write('/root/site.tar', execFileSync('tar', ['-c', '-C', folder, 'site'], { maxBuffer: 1e9 }))
  rmSync(folder, { recursive: true })
  server.run(`
    apt-get install -qy git openssh-server
    mkdir -p /run/sshd
    /usr/sbin/sshd -p 2222
    useradd -m -s /bin/bash marketing
    tar -x -C /home/marketing </root/site.tar
    chown -R marketing: /home/marketing
    runuser -l marketing -c 'cd site; git init -q -b main; git config user.name M; git config user.email m@acme.test'`)
  server.commit(':')
  const start = performance.now()
  server.unpackRelease()
  const command = `cd /root/unpacked; deploy/setup.sh ${NAMES} --site-from ssh://marketing@127.0.0.1:2222/home/marketing/site --time-zone America/Chicago --yes`
  const first = server.try(command)
  const isAsked = first.status === 1 && /ssh-ed25519/.test(first.stderr)
  server.check('without its key in the repository, setup stops and prints it', isAsked)
  server.run(`
    install -d -o marketing -m 700 /home/marketing/.ssh
    install -o marketing /etc/ssdi-advocate-site.key.pub /home/marketing/.ssh/authorized_keys`)
  server.check('setup', /Done: https:\/\/www\.acme\.test is up/.test(server.run(command)))
  receive(server)
  server.run(`
    ${NODE} ${CURRENT}/cli/settings.ts /etc/ssdi-advocate.env set \
      LEAD_WEBHOOK_URL http://127.0.0.1:9000/leads LEAD_WEBHOOK_FORMAT json ALERT_WEBHOOK_URL http://127.0.0.1:9000/alerts
    systemctl restart ${BOTH}`)
  await server.until(READY)
  await arrives(server, 19_999)
  const minutes = (performance.now() - start) / 60_000
  server.check(
    'from an empty machine to a lead at the webhook, under 10 min',
    minutes < 10,
    `${minutes.toFixed(1)} min`,
  )
  const desk = server.try(`runuser -u ssdi-advocate -- env SETTINGS_FILE=/etc/ssdi-advocate.env ${NODE} /opt/desk.mjs`)
  server.check('the desk shows it', /lead-19999/.test(desk.stdout), desk.stderr)
  server.run('systemctl start ssdi-advocate-backup ssdi-advocate-copy')
  server.doctorPasses()
  const failed = server.run('systemctl list-units --failed --plain --no-legend "ssdi-advocate*" nginx.service')
  server.check(
    'nothing failed',
    failed === '' && server.is(`systemctl is-active -q ${BOTH} ssdi-advocate-publish`),
    failed,
  )
}

/** A CRM and a chat. */
const receive = (server: Server) =>
  server.run(`systemd-run --quiet --collect --unit=receiver ${NODE} /opt/receiver.mjs`)

async function arrives(server: Server, lead: number): Promise<void> {
  const answer = server.sendLead(lead)
  const time = await server.until(`grep -q lead-${lead} /root/received`)
  server.check('a lead arrives at the webhook', answer.startsWith('202'), time)
}

async function edit(server: Server): Promise<void> {
  server.commit(`printf '[landing.hero]\\nheadline = "Out of work since spring?"\\n' >en.toml`)
  server.check('an edit in the repository is live', true, await server.until(showsOnPage('since spring'), 180))
  const used = () =>
    Number(server.run('du -smc /srv/ssdi-advocate-site /var/lib/ssdi-advocate-fetch | tail -n 1 | cut -f 1'))
  const before = used()
  // 300 MB of zeros are 300 KB in git; noise isn't smaller there.
  server.commit('mkdir large; truncate -s 100M large/zeros1 large/zeros2 large/zeros3')
  await server.until('journalctl -u ssdi-advocate-fetch | grep -q "more than 200 MB"', 240)
  server.commit('rm -r large/*; head -c 260M /dev/urandom >large/noise')
  await server.until('journalctl -u ssdi-advocate-fetch | grep -q "may have 250 MB"', 240)
  server.check(
    'pushes of 300 MB of zeros and 260 MB of noise are refused, and fill nothing',
    used() - before < 5,
    `${used() - before} MB more`,
  )
  server.commit('rm -r large')
  await server.until(
    '[ "$(cat /srv/ssdi-advocate-site/current/.git/HEAD)" = "$(git -c safe.directory=* -C /home/marketing/site rev-parse HEAD)" ]',
    240,
  )
}

/** Each service with its own restrictions. */
async function runUnits(server: Server): Promise<void> {
  for (const unit of server.run('cd /etc/systemd/system; ls ssdi-advocate*.service').split('\n')) {
    // What the kernel enforces while it runs.
    server.write(
      `/run/systemd/system/${unit}.d/drill.conf`,
      `[Service]\nExecStartPre=+/bin/sh -c 'cd /sys/fs/cgroup; cat memory/system.slice/%n/memory.limit_in_bytes pids/system.slice/%n/pids.max >/run/limits'\n`,
    )
    const isTimed = /backup|copy|fetch/.test(unit)
    const { status, stderr } = server.try(`systemctl daemon-reload; systemctl ${isTimed ? 'start' : 'restart'} ${unit}`)
    const score = /: (\d\.\d)/.exec(server.run(`systemd-analyze security ${unit} --no-pager | tail -n 1`))?.[1]
    server.check(`${unit} runs; exposure below 2`, status === 0 && Number(score) < 2, `${score} ${stderr}`)
    const [memory, tasks] = server.run('cat /run/limits').split('\n')
    const wanted = server.run(`systemctl show -p MemoryMax -p TasksMax --value ${unit}`).split('\n').join()
    const enforced = `${Number(memory) > 1e15 ? 'infinity' : memory},${tasks}`
    server.check('…with its limits of memory and tasks', enforced === wanted, enforced)
  }
  server.run('rm -r /run/systemd/system/ssdi-advocate*; systemctl daemon-reload')
  for (const commands of [`systemctl stop ${BOTH}; systemctl start ${BOTH}`, `systemctl restart ${BOTH}`]) {
    for (let times = 0; times < 4; times++) server.run(commands)
    const time = await server.until('systemctl is-active -q ssdi-advocate-publish', 30).catch(String)
    server.check('publishing is back after several stops and starts', time.endsWith(' s'), time)
  }
  // As docs/backup.md says.
  server.run(`
    truncate -s 300M /root/backups
    mkfs.ext4 -q /root/backups
    systemctl stop ${BOTH}
    mount /root/backups /mnt
    cp -a ${BACKUPS}/. /mnt/
    umount /mnt
    find ${BACKUPS} -mindepth 1 -delete
    chattr +i ${BACKUPS}
    echo '/root/backups ${BACKUPS} ext4 defaults,nofail 0 2' >>/etc/fstab
    systemctl daemon-reload
    mount ${BACKUPS}
    chown ssdi-advocate: ${BACKUPS}
    chmod 700 ${BACKUPS}
    systemctl start ${BOTH}`)
  const backsUp = server.try('systemctl start ssdi-advocate-backup ssdi-advocate-copy')
  server.check('backups run on a disk of their own', backsUp.status === 0, backsUp.stderr)
}

/** What an attacker who has taken over the publishing user could try. */
async function beHostile(server: Server): Promise<void> {
  const publisher = 'runuser -u ssdi-advocate-publish --'
  // What root has, and what runs.
  const state = () =>
    server.run(`
    cd ${CURRENT}/
    find /etc /usr/local /root/unpacked . ! -path '*/built/*' -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum
    find /etc /usr /root . ! -path '*/built/*' -printf '%p %u %m %l\\n' | sort | sha256sum`)
  const done = [
    `cat ${DATA}/leads.sqlite`,
    'cat /etc/ssdi-advocate.env',
    `cat ${BACKUPS}/latest.backup`,
    'touch /srv/ssdi-advocate/sites/x',
    `ln -sfn /etc ${CURRENT}`,
    `mv ${CURRENT}/built ${CURRENT}/moved`,
    'touch /srv/ssdi-advocate-site/current/en.toml',
    'ln -sf /etc/shadow /run/ssdi-advocate-publish.env',
  ].filter(command => server.is(`${publisher} ${command}`))
  server.check(
    'the publishing user reads no store, setting, or backup, and changes nothing of root’s',
    done.length === 0,
    done.join('; '),
  )
  const before = state()
  // The attack goes on while root releases and goes back, and visitors ask for what it links to.
  server.run(`
    systemd-run --quiet --unit=hostile -p User=ssdi-advocate-publish sh /opt/hostile.sh
    paths='{live/passwd,passwd,shadow,assets/passwd,error.html,es/error.html,}?[1-99]'
    systemd-run --quiet --unit=reader sh -c "while :; do curl -sk 'https://www.acme.test/$paths'; done >/run/served"`)
  const release = server.try(`cd; ${RELEASE} ${server.file}`)
  const back = server.try(`${RELEASE} back`)
  server.run('systemctl stop hostile reader')
  const isRead = server.is('grep -q root: /run/served') || !server.is('grep -q spring /run/served')
  server.check('the server and nginx show nothing from outside its folder', !isRead)
  const escaped = server.run(`
    ls -d /tmp/ran /etc/own* 2>/dev/null || true
    find /srv/ssdi-advocate/sites -mindepth 2 ! -user ssdi-advocate-publish | head
    find / -xdev -user ssdi-advocate-publish ! -path '/srv/ssdi-advocate/sites/*' ! -name built | head`)
  const said = `${release.status} ${back.status} ${release.stderr.slice(-200)}`
  server.check(
    '…and root follows and runs nothing of its, also at a release',
    state() === before && escaped === '',
    escaped || said,
  )
  server.run(`rm -rf $(find /srv/ssdi-advocate/releases /srv/ssdi-advocate/sites -mindepth 1 -maxdepth 1 ! -name "$(basename "$(readlink ${CURRENT})")")
    rm -rf /srv/ssdi-advocate/sites/*/*
    systemctl restart ssdi-advocate`)
  await server.until(showsOnPage('since spring'), 180)
}

/** Mistakes in setup, and other sites on the same nginx. */
async function breakSettings(server: Server): Promise<void> {
  const up = `${READY} && curl -skf https://desk.acme.test/`
  const typo = server.try(`${SETUP} --domain wwww.acme.test --desk desk.acme.test --email it@acme.test --yes`)
  server.run('systemctl restart nginx ssdi-advocate')
  await server.until(up, 60)
  const url = server.run('grep ^SITE_URL /etc/ssdi-advocate.env')
  server.check('a typo in --domain changes nothing', typo.status === 1 && url === 'SITE_URL=https://www.acme.test', url)
  server.write(
    '/etc/nginx/sites-enabled/other.conf',
    'server {\n  listen 80 default_server;\n  server_name other.test;\n  return 200 other;\n}\n',
  )
  server.run('rm /etc/nginx/sites-enabled/ssdi-advocate-default.conf; nginx -t; systemctl restart nginx')
  const beside = server.try(`${SETUP} ${NAMES} --yes`)
  server.run('systemctl restart nginx')
  await server.until(up, 60)
  const other = server.run('curl -s -H "Host: other.test" http://127.0.0.1/')
  const isSaid = /other.conf: has nginx's default server/.test(beside.stderr)
  server.check('another site’s default server stays, and setup says so', other === 'other' && isSaid)
  server.run(`
    rm /etc/nginx/sites-enabled/other.conf
    sed -i 's/# allow 198/allow 127.0.0.0\\/8; # allow 198/' /etc/nginx/sites-enabled/ssdi-advocate-desk.conf`)
  const moved = server.try(`${SETUP} --domain www.new.test --desk desk.acme.test --email it@acme.test --yes`)
  const isNew =
    'curl -skf https://www.new.test/readyz && grep -q "allow 127.0.0.0/8" /etc/nginx/sites-enabled/ssdi-advocate-desk.conf'
  const time = await server.until(isNew, 60).catch(String)
  server.check(
    'a move to another domain',
    moved.status === 0 && time.endsWith(' s'),
    moved.status === 0 ? time : moved.stderr,
  )
  server.run(`${SETUP} ${NAMES} --yes`)
  await server.until(up, 60)
}

async function fillDisks(server: Server): Promise<void> {
  server.run(`
    truncate -s 100M /root/data
    mkfs.ext4 -q /root/data
    systemctl stop ${BOTH}
    mount /root/data /mnt
    mv ${DATA}/* /mnt/
    chown ssdi-advocate: /mnt
    chmod 700 /mnt
    umount /mnt
    echo '/root/data ${DATA} ext4 defaults,nofail 0 2' >>/etc/fstab
    systemctl daemon-reload
    mount ${DATA}
    systemctl start ${BOTH}`)
  await server.until(READY)
  await server.underLoad('a full disk', async () => {
    server.try(`for size in 1M 1k; do dd if=/dev/zero of=${DATA}/filler$size bs=$size 2>/dev/null || true; done`)
    await sleep(6000)
    server.run(`rm ${DATA}/filler*`)
    await server.until(READY, 60)
  })
}

async function killIt(server: Server): Promise<void> {
  await server.underLoad('the server is killed', async () => {
    server.run('kill -s KILL "$(systemctl show -p MainPID --value ssdi-advocate)"')
    await server.until(READY, 60)
  })
  await server.sendLeads()
  server.run('mv /root/data /root/gone')
  await server.stop('kill')
  await server.boot()
  await server.until('curl -skf https://www.acme.test/')
  const doctor = server.try('leads doctor').stdout
  const isRefused = server.sendLead(19_998).startsWith('503') && !server.is(`test -e ${DATA}/leads.sqlite`)
  server.check(
    'without its disk: pages are served, leads refused, and doctor says why',
    isRefused && /mount it/.test(doctor),
  )
  server.run(`mv /root/gone /root/data; mount ${DATA}`)
  server.check('…until it is mounted', true, await server.until(READY, 60))
  server.countLost('the machine is killed, its disk comes back')
  await server.sendLeads()
  await server.stop('shut down')
  const start = performance.now()
  await server.boot()
  await server.until(READY)
  const seconds = `${((performance.now() - start) / 1000).toFixed(1)} s`
  server.countLost(`a reboot, ready after ${seconds}`)
  receive(server)
  server.run('mkdir -p /run/sshd; /usr/sbin/sshd -p 2222')
  await arrives(server, 19_997)
  const timers = server.run('systemctl list-timers --plain --no-legend "ssdi-advocate-*" | wc -l')
  const ran = await server
    .until('systemctl show -p ExecMainExitTimestamp ssdi-advocate-fetch | grep -q :', 90)
    .catch(String)
  server.check('its timers run', timers === '3' && ran.endsWith(' s'), `${timers}, the first within ${ran}`)
}

/** Between releases with the same store. */
async function releaseAgain(server: Server): Promise<void> {
  server.run('systemctl disable -q --now ssdi-advocate-copy.timer')
  await server.underLoad('the next release', () => server.run(`cd; ${RELEASE} ${server.file}`))
  server.check(
    'a timer that was disabled stays disabled',
    !server.is('systemctl is-enabled -q ssdi-advocate-copy.timer'),
  )
  server.commit(`printf '[landing.hero]\\nheadline = "Out of work since summer?"\\n' >en.toml`)
  await server.until(showsOnPage('since summer'), 180)
  await server.underLoad('back', () =>
    server.run(`
      (while :; do page=$(curl -skf https://www.acme.test/) && { echo "$page" | grep -q 'since summer' || echo other; }; sleep 0.2; done) >/root/words 2>/dev/null & watch=$!
      ${RELEASE} back
      kill $watch`),
  )
  const other = server.run('wc -l </root/words')
  server.check(
    'pages with other words while going back',
    other === '0' && server.is(showsOnPage('since summer')),
    other,
  )
}

interface Kept {
  readonly backups: Buffer
  readonly key: string
  readonly leads: readonly string[]
}

/** What's left when the machine is lost. One person was erased after the backup. */
async function saveBackups(server: Server): Promise<Kept> {
  server.run('systemctl start ssdi-advocate-backup ssdi-advocate-copy')
  const leads = server.run('leads export').match(/lead-\d+(?=@)/g) ?? []
  server.run(`leads erase --email ${leads.at(-1)}@example.org --yes --under-five-years`)
  await server.until(`grep -q . ${BACKUPS}/erasures.txt`)
  const backups = Buffer.from(server.run(`tar -c -C ${BACKUPS} . | base64`), 'base64')
  return { backups, key: server.run(`cat ${DATA}/erasure.key`), leads }
}

async function restoreMachine(server: Server, { backups, key, leads }: Kept): Promise<void> {
  const start = performance.now()
  server.write('/root/backups.tar', backups)
  server.run(`mkdir -p ${BACKUPS}; tar -x -C ${BACKUPS} </root/backups.tar`)
  server.unpackRelease()
  // The script asks at a terminal only.
  const answers = ['yes', 'http://127.0.0.1:9000/leads', 'http://127.0.0.1:9000/alerts', key, 'yes', ''].join('\n')
  const command = `deploy/restore.sh ${BACKUPS} --email it@acme.test --yes`
  const { status, stdout } = server.try(`cd /root/unpacked; script -qec '${command}' /dev/null`, answers)
  if (status !== 0) throw new Error(stdout)
  await server.until(READY)
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  server.check('a lost machine is back, with its words', server.is(showsOnPage('since summer')), `${seconds} s`)
  const [erased = '', ...others] = leads.toReversed()
  const lost = server.missingIn('leads export', others)
  server.check('…with all its leads', lost === 0, `${lost} of ${others.length} lost`)
  server.check('…without the one that was erased since', server.missingIn('leads export', [erased]) === 1)
  receive(server)
  await arrives(server, 19_996)
  server.doctorPasses()
}

async function upgradeFromOld(server: Server): Promise<void> {
  await installOld(server)
  server.unpackRelease()
  const upgrade = () => server.try('/root/unpacked/deploy/release.sh')
  const before = await server.underLoad('0.7.0', () => sleep(5000))
  server.run(`echo "export const edited = 1" >>${CURRENT}/content/organization.ts`)
  const edited = upgrade()
  const isRefused = edited.status === 1 && /organization\.ts/.test(edited.stderr) && server.is(READY)
  server.check('0.7.0 with edited words and without a folder: nothing changes', isRefused)
  server.run(`sed -i '$d' ${CURRENT}/content/organization.ts`)
  let said = ''
  const during = await server.underLoad('the upgrade from 0.7.0', () => {
    const { status, stdout, stderr } = upgrade()
    if (status !== 0) throw new Error(`${stdout}\n${stderr}`)
    said = stderr.trim()
  })
  const acknowledged = [...before, ...during]
  const lost = server.missingIn('leads export', acknowledged)
  server.check('…also of those from before', lost === 0, `${lost} of ${acknowledged.length}`)
  server.check('…without anything to compare', said === '', said)
  const timers = server.run(
    'systemctl list-timers --plain --no-legend "ssdi-advocate-*" | grep -o "ssdi-advocate-[a-z]*.timer" | sort | xargs',
  )
  const isNew = /backup.*copy/.test(timers) && server.is('leads site check || [ $? -lt 2 ]')
  server.check(
    'its units, command, and nginx files are this version’s',
    isNew && server.is('grep -q ssdi_views /etc/nginx/sites-enabled/ssdi-advocate.conf'),
    timers,
  )
  server.doctorPasses()
  const refused = server.try(`${RELEASE} back`)
  const isSaid = refused.status === 1 && /back --restore BACKUP/.test(refused.stderr) && server.is(READY)
  server.check('back across the store’s change changes nothing, and says what it takes', isSaid)
  const back = server.try(`${RELEASE} back --restore "$(ls -t ${BACKUPS}/leads-*.backup | head -n 1)"`)
  await server.until(READY, 60)
  const file = /are in (\S+)\.$/m.exec(back.stdout)?.[1] ?? '/dev/null'
  const missing = server.missingIn(`cat ${file}; leads export`, acknowledged)
  server.check(
    'back with the backup: leads in neither the store nor the file',
    back.status === 0 && missing === 0,
    `${missing} ${back.status === 0 ? '' : back.stderr}`,
  )
  const failed = server.run('systemctl list-units --failed --plain --no-legend "ssdi-advocate*"')
  server.check(
    'nothing of this version runs',
    failed === '' && !server.is('systemctl is-active -q ssdi-advocate-publish'),
    failed,
  )
  const again = upgrade()
  server.check('and can be upgraded again', again.status === 0, again.stderr.slice(-300))
}

/** As its docs say, except that its packages from npm come from a cache: there's no network. */
async function installOld(server: Server): Promise<void> {
  const cache = join(project, '.cache/drill', OLD)
  if (!existsSync(join(cache, 'modules.tar'))) {
    rmSync(cache, { recursive: true, force: true })
    mkdirSync(join(cache, 'source'), { recursive: true })
    const commands = `git archive ${OLD} | tar -x -C ${cache}/source; cd ${cache}/source; npm ci; tar -cf ../modules.tar node_modules`
    execFileSync('sh', ['-ec', commands], { cwd: project, stdio: 'inherit' })
  }
  const source = execFileSync('git', ['archive', '--prefix=source/', OLD], { cwd: project, maxBuffer: 1e9 })
  server.write('/root/source.tar', source)
  server.write('/root/modules.tar', readFileSync(join(cache, 'modules.tar')))
  server.write(
    '/usr/local/bin/npm',
    '#!/bin/sh\ncase $1 in ci) exec tar -xf /root/modules.tar ;; run) exec node_modules/.bin/node build/main.ts ;; esac\n',
    '755',
  )
  server.run(`
    apt-get install -qy git
    mkdir -p /srv/ssdi-advocate
    tar -xf /root/source.tar -C /srv/ssdi-advocate
    cd /srv/ssdi-advocate/source
    git init -q
    git add -A
    git -c user.name=A -c user.email=a@acme.test commit -qm 0.7.0
    deploy/setup.sh ${NAMES} --time-zone America/Chicago --yes`)
  await server.until(READY)
}
