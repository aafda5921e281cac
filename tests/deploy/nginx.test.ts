/**
 * Runs the deploy/nginx configuration in a real nginx in front of the real server: leads arrive with the visitor's
 * address, and no file that nginx writes contains personal data.
 */

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2'
import { type RequestOptions, request as requestTls } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { leadQuery } from '../../domain/leads/lead.ts'
import { loadSite } from '../../server/http/site.ts'
import { copyIn } from '../../server/http/site-manifest.ts'
import { versionOf } from '../../server/store/facts/leads/hashes.ts'
import { yearOfBirth } from '../support/answers.ts'
import { BUILT } from '../support/built-site.ts'
import { freePort } from '../support/free-port.ts'
import { storedLeads } from '../support/lead-fixtures.ts'
import { OTHERS, startNginx } from '../support/nginx.ts'
import { type ServerProcess, spawnServer } from '../support/processes.ts'
import { requestRaw } from '../support/receiver.ts'
import { testCertificate } from '../support/webhook.ts'

const hasNginx = spawnSync('nginx', ['-v']).status === 0
if (!hasNginx) console.warn('deploy/nginx was not tested: nginx is not installed (apt-get install nginx-light).')

const consentVersion = versionOf(copyIn(loadSite(BUILT).copy, 'en').consent)

const person = {
  firstName: 'Zebediah',
  lastName: 'Quackenbush',
  dateOfBirth: `${yearOfBirth}-12-10`,
  email: 'zeb@quack.example',
  phone: '(555) 210-7788',
}
const personalData = new RegExp(
  `zebediah|quackenbush|${person.dateOfBirth}|quack\\.example|210-?7788|firstName|lastName|utm_`,
  'i',
)

/** The visitor's address: loopback, but not the proxy's. */
const VISITOR = '127.0.0.9'

/** What one client may ask for at once in this test. */
const VIEWS = 50
const OPEN = 30
const AT_THE_DESK = 20
/** That are logged. */
const LEADS = 10
const PUBLISHER = 12_345

describe.runIf(hasNginx)('behind nginx', () => {
  let folder: string
  let server: ServerProcess
  let nginx: Awaited<ReturnType<typeof startNginx>>
  let port: { http: number; https: number }
  const desk = createServer((_, response) => void response.end('the desk'))

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'nginx-'))
    port = { http: await freePort(), https: await freePort() }
    server = spawnServer({
      DATA_DIR: join(folder, 'data'),
      SITE_URL: `https://localhost:${port.https}`,
      TRUST_PROXY: '127.0.0.1',
    })
    cpSync(BUILT, join(folder, 'live'), { recursive: true })
    symlinkSync('live', join(folder, 'built'))
    const { host } = new URL(await server.url)
    desk.listen(0, '127.0.0.1')
    await once(desk, 'listening')
    nginx = await startNginx({
      folder: join(folder, 'nginx'),
      built: join(folder, 'built'),
      server: host,
      port,
      desk: `127.0.0.1:${(desk.address() as AddressInfo).port}`,
      limits: [
        [/(?<=ssdi_(views|desk|lead_log):\dm )rate=\d+r\/s;/g, 'rate=1r/m;'],
        [/(?<=ssdi_views )burst=\d+/, `burst=${VIEWS}`],
        [/(?<=ssdi_desk )burst=\d+/, `burst=${AT_THE_DESK}`],
        [/(?<=ssdi_lead_log )burst=\d+/g, `burst=${LEADS}`],
        [/(?<=limit_conn ssdi_(clients|leads) )200+/g, String(OPEN)],
        [/client_body_timeout 15s/, 'client_body_timeout 1m'],
      ],
    })
    await vi.waitFor(async () => expect((await send({ path: '/readyz' })).status).toBe(200), { timeout: 60_000 })
  })

  afterAll(async () => {
    server.child.kill('SIGKILL')
    await Promise.all([server.exit, nginx.stop()])
    desk.close()
    rmSync(folder, { recursive: true })
  })

  const query = () => `${leadQuery(person)}&utm_source=tv`

  const send = (options: RequestOptions, body = '') =>
    new Promise<{ status: number; text: string; headers: Record<string, unknown> }>((resolve, reject) => {
      const outgoing = requestTls(
        {
          host: 'localhost',
          family: 4,
          port: port.https,
          localAddress: VISITOR,
          ca: testCertificate,
          agent: false,
          ...options,
        },
        async response =>
          resolve({ status: response.statusCode ?? 0, text: await text(response), headers: response.headers }),
      )
      outgoing.once('error', reject)
      outgoing.end(body)
    })

  const getWithHost = (host: string, path = '/') =>
    requestRaw(`http://127.0.0.1:${port.http}`, { path, headers: { host } })

  const sendLead = (headers: Record<string, string> = {}, localAddress = VISITOR) =>
    send({
      localAddress,
      path: `/api/leads?${query()}`,
      headers: {
        accept: 'application/json',
        referer: `https://localhost:${port.https}/?${query()}`,
        'sec-fetch-site': 'same-origin',
        'x-consent-version': consentVersion,
        ...headers,
      },
    })

  /** Everything that nginx has written, including temporary files. */
  const written = () =>
    readdirSync(join(folder, 'nginx'), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n')

  test('a lead is stored with the visitor’s real address, no matter what x-forwarded-for says', async () => {
    expect(await sendLead({ 'x-forwarded-for': '203.0.113.99' })).toMatchObject({ status: 202 })
    expect(storedLeads(join(folder, 'data/leads.sqlite'))).toMatchObject([
      { lastName: 'Quackenbush', client_address: VISITOR, page: '/' },
    ])
  })

  test('http and the bare domain redirect to the site and keep the query', async () => {
    const site = `https://localhost:${port.https}/?utm_source=tv`
    for (const host of ['localhost', 'bare.localhost']) {
      const { status, headers } = await getWithHost(host, '/?utm_source=tv')
      expect([host, status, headers.location]).toEqual([host, 308, site])
    }
    // The test certificate doesn't have this name.
    const bare = { servername: 'bare.localhost', checkServerIdentity: () => undefined }
    const secure = await send({ path: '/?utm_source=tv', headers: { host: 'bare.localhost' }, ...bare })
    expect([secure.status, secure.headers['location']]).toEqual([308, site])
  })

  test('hostnames that aren’t ours get no certificate and no response', async () => {
    await expect(send({ servername: 'desk.example.org' })).rejects.toThrow(/handshake|unrecognized name/)
    const disguised = { servername: 'localhost', headers: { host: 'other.example.org' } }
    await expect(send(disguised)).rejects.toThrow('socket hang up')
    await expect(getWithHost('other.example.org')).rejects.toThrow('socket hang up')
  })

  test('pages are served precompressed, over HTTP/2', async () => {
    const session = connectHttp2(`https://localhost:${port.https}`, { ca: testCertificate, family: 4 } as object)
    const stream = session.request({ ':path': '/', 'accept-encoding': 'br' })
    session.once('error', error => stream.destroy(error))
    const [headers] = await once(stream, 'response')
    session.destroy()
    expect(headers).toMatchObject({
      ':status': 200,
      'content-encoding': 'br',
      'strict-transport-security': expect.stringContaining('max-age'),
    })
  })

  test('oversized requests get a short page, also if nginx refuses them before the server does', async () => {
    const { status } = await send({ path: `/api/leads?${query()}&pad=${'x'.repeat(6500)}` })
    expect(status).toBe(414)
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
    const form = { method: 'POST', path: '/api/leads', headers }
    const long = await send(form, `${query()}&pad=${'x'.repeat(20_000)}`)
    expect([long.status, long.text]).toEqual([413, builtPage('error.html')])
    const lead = await send({ path: `/api/leads?${query()}`, headers: { 'content-length': '2' } }, 'ab')
    expect(lead.status).toBe(413)
  })

  /** One connection, as a client with this address. */
  async function overHttp2(address: string, act: (ask: ReturnType<typeof asker>) => Promise<void>): Promise<void> {
    const to = { host: '127.0.0.1', port: port.https, servername: 'localhost', localAddress: OTHERS }
    const createConnection = () => connectTls({ ...to, ca: testCertificate, ALPNProtocols: ['h2'] })
    const session = connectHttp2(`https://localhost:${port.https}`, { createConnection })
    session.on('error', () => {})
    await once(session, 'connect')
    await act(asker(session, address))
    session.destroy()
  }
  const asker =
    (session: ClientHttp2Session, address: string) =>
    (path: string, endStream: boolean, method = 'GET') => {
      const stream = session.request({ ':method': method, ':path': path, 'x-real-ip': address }, { endStream })
      stream.on('error', () => {})
      const status = new Promise<unknown>(resolve => {
        stream.once('response', headers => resolve(headers[':status']))
        stream.once('close', () => resolve('reset'))
      })
      return { stream: stream.resume(), status }
    }

  const as = (address: string, host = 'localhost') => ({
    localAddress: OTHERS,
    servername: 'localhost',
    headers: { host, 'x-real-ip': address },
  })
  const countOf = (statuses: readonly unknown[], status: unknown) => statuses.filter(each => each === status).length

  test('leads that announce a body and never send it are few for one client, and end soon', async () => {
    const address = '198.51.100.2'
    await overHttp2(address, async ask => {
      let isFormOpen = true
      void ask('/stop', false, 'POST').status.then(() => {
        isFormOpen = false
      })
      const unfinished = Array.from({ length: OPEN + 1 }, () => ask(`/api/leads?${query()}`, false))
      expect(await unfinished[OPEN]?.status).toBe(429)
      expect((await sendLead({ 'x-real-ip': '198.51.100.9' }, OTHERS)).status).toBe(202)
      const sendOwn = async () => expect((await sendLead({ 'x-real-ip': address }, OTHERS)).status).toBe(202)
      await vi.waitFor(sendOwn, { timeout: 100_000, interval: 100 })
      expect(isFormOpen).toBe(true)
    })
  })

  test('a client that floods the desk is refused there, and no other', async () => {
    const flood = await Promise.all(
      Array.from({ length: AT_THE_DESK + 10 }, () => send(as('198.51.100.5', 'desk.localhost'))),
    )
    const statuses = flood.map(({ status }) => status)
    expect([countOf(statuses, 200), countOf(statuses, 429)]).toEqual([AT_THE_DESK + 1, 9])
    expect((await send(as('198.51.100.6', 'desk.localhost'))).text).toBe('the desk')
  })

  test('a flood doesn’t fill the disk: none of it is logged on port 80, and one in a hundred of what’s over the limits', async () => {
    await Promise.all(Array.from({ length: 50 }, () => getWithHost('desk.localhost')))
    const before = written().length
    for (const host of ['localhost', 'bare.localhost', 'desk.localhost'])
      await Promise.all(Array.from({ length: 50 }, () => getWithHost(host, `/${host}`)))
    await Promise.allSettled(Array.from({ length: 50 }, () => getWithHost('other.example.org')))
    expect(written().length).toBe(before)
    for (const [address, path, logged] of [
      ['198.51.100.7', '/', VIEWS],
      ['198.51.100.8', '/api/leads?firstName=a', LEADS],
    ] as const) {
      await overHttp2(address, async ask => {
        for (let count = 0; count < logged + 100; count++) await ask(path, true).status
      })
      const lines = written().split(`${address} GET`).length - 1
      expect(lines).toBeGreaterThan(logged / 2)
      // That 20 of 100 are logged at random happens once in a million million millions.
      expect(lines).toBeLessThan(logged + 20)
    }
  })

  test('canceled requests count: a client that cancels many is refused pages, but no lead', async () => {
    const address = '198.51.100.3'
    await overHttp2(address, async ask => {
      for (let count = 0; count < VIEWS + 20; count++) {
        const { stream, status } = ask('/', true)
        stream.close(constants.NGHTTP2_CANCEL)
        await status
      }
    })
    const refused = await send(as(address))
    expect([refused.status, refused.text]).toEqual([429, builtPage('error.html')])
    expect((await sendLead({ 'x-real-ip': address }, OTHERS)).status).toBe(202)
    expect((await send(as('198.51.100.4'))).status).toBe(200)
  })

  const builtPage = (name: string) => readFileSync(join(BUILT, name), 'utf8')
  const sendStop = (path: string, visitor: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return send({ method: 'POST', path, headers, localAddress: visitor }, `phone=${person.phone}`)
  }

  test('requests to stop are recorded; a flood from one address gets the page that says they aren’t', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => sendStop('/es/stop', '127.0.0.8')))
    const texts = (status: number) => new Set(answers.filter(each => each.status === status).map(({ text }) => text))
    expect([...texts(200)]).toEqual([builtPage('es/stop-done.html')])
    expect([...texts(429)]).toEqual([builtPage('es/stop-error.html')])
    expect((await sendStop('/stop', VISITOR)).text).toBe(builtPage('stop-done.html'))
  })

  test('one client can have so many requests open, other clients aren’t affected, and leads are never refused', async () => {
    const slow = Array.from({ length: OPEN }, (_, index) => {
      const { headers, localAddress } = as(`2001:db8:1:2::${index + 1}`)
      const to = { host: 'localhost', family: 4, port: port.https, localAddress, ca: testCertificate, agent: false }
      const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '1000' }
      const outgoing = requestTls({ ...to, method: 'POST', path: '/api/leads', headers: { ...headers, ...type } })
      outgoing.on('error', () => {})
      outgoing.flushHeaders()
      return outgoing
    })
    try {
      const neighbor = '2001:db8:1:2:3::1'
      await vi.waitFor(async () => {
        const { status, text } = await send(as(neighbor))
        expect([status, text]).toEqual([429, builtPage('error.html')])
      }, 60_000)
      expect((await sendLead({ 'x-real-ip': neighbor }, OTHERS)).status).toBe(202)
      for (const other of ['2001:db8:1:3::1', '198.51.100.1']) expect((await send(as(other))).status).toBe(200)
    } finally {
      for (const outgoing of slow) outgoing.destroy()
    }
  })

  test('no response says which nginx it is', async () => {
    const { headers } = await getWithHost('localhost')
    expect([headers['server'], (await send({ path: '/', localAddress: VISITOR })).headers['server']]).toEqual([
      'nginx',
      'nginx',
    ])
  })

  test('nginx writes no personal data, even when requests fail or the server is down', async () => {
    await sendLead()
    await send({ path: `/${person.lastName}/${person.email}` })
    await send({ path: `/api/leads?${query()}&pad=${'x'.repeat(9000)}` })
    await send({ method: 'POST', path: '/api/leads' }, query() + 'x'.repeat(50_000)).catch(() => {})
    server.child.kill('SIGKILL')
    await server.exit
    const down = await sendLead()
    expect([down.status, down.headers['cache-control']]).toEqual([502, 'no-store'])
    expect(down.text).toBe(builtPage('error.html'))
    expect((await sendStop('/stop', VISITOR)).text).toBe(builtPage('stop-error.html'))
    expect((await send({ path: '/es/decline' })).text).toBe(builtPage('es/error.html'))
    const inSpanish = await send({ method: 'POST', path: '/api/leads?language=es' }, query())
    expect(inSpanish.text).toBe(builtPage('es/error.html'))
    await send({ method: 'POST', path: '/api/leads' }, query())
    // Only root can give files to the user that publishes.
    if (process.getuid?.() === 0) {
      const at = (path: string) => join(folder, path)
      const publish = (target: string, path: string) => {
        rmSync(at(path), { recursive: true, force: true })
        symlinkSync(target, at(path))
        lchownSync(at(path), PUBLISHER, PUBLISHER)
      }
      renameSync(at('live'), at('site'))
      chownSync(at('site'), PUBLISHER, PUBLISHER)
      publish('live', 'built')
      publish('site', 'live')
      expect((await send({ path: '/decline' })).text).toBe(builtPage('error.html'))
      writeFileSync(at('nginx/error.html'), 'secret')
      publish('../nginx', 'site/es')
      expect((await send({ path: '/es/decline' })).text).not.toBe('secret')
      publish('nginx', 'live')
      expect((await send({ path: '/decline' })).text).not.toBe('secret')
    }

    const log = written()
    expect(log).toMatch(new RegExp(`${VISITOR} GET /api/leads 202 `))
    expect(log).toMatch(new RegExp(`${VISITOR} GET /api/leads 502 .* upstream=502/`))
    expect(log).toMatch(new RegExp(`${VISITOR} GET /stop 502 `))
    expect(log).toMatch(new RegExp(`${VISITOR} GET \\(other\\) 404 `))
    expect(log.split('\n').filter(line => personalData.test(line))).toEqual([])
  })
})
