/** Firefox, through WebDriver BiDi, which it speaks itself: no driver in between. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserOptions, SURROUNDINGS, WINDOW } from './browser.ts'

/** A first start without its welcome, and nothing asked of servers that a test machine cannot reach. */
const preferences = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.aboutwelcome.enabled': false,
  'browser.newtabpage.enabled': false,
  'browser.safebrowsing.update.enabled': false,
  'browser.search.update': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage': 'about:blank',
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.disable_open_during_load': false,
  'extensions.autoDisableScopes': 0,
  'extensions.getAddons.cache.enabled': false,
  'extensions.update.enabled': false,
  // Pages get the focus although no window of the machine has it.
  'focusmanager.testmode': true,
  'intl.locale.requested': 'en-US',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.dns.disablePrefetch': true,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'signon.autofillForms': false,
  'startup.homepage_welcome_url': 'about:blank',
  'toolkit.telemetry.server': '',
} as const

interface Answer {
  readonly id?: number
  readonly type: 'success' | 'error' | 'event'
  readonly result?: unknown
  readonly error?: string
  readonly message?: string
}

export async function startFirefox(program: string, { scripting }: BrowserOptions): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'))
  writeProfile(profile, { ...preferences, 'javascript.enabled': scripting })
  const firefox = spawn(program, ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'], {
    env: { ...process.env, ...SURROUNDINGS, HOME: profile },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stop = () => void firefox.kill()
  process.once('exit', stop)
  const ended = new Promise<void>(resolve => firefox.once('exit', () => resolve()))
  const address = await new Promise<string>((resolve, reject) => {
    let output = ''
    firefox.once('error', reject)
    firefox.once('exit', code => reject(new Error(`Firefox ended with ${code}: ${output}`)))
    firefox.stderr.setEncoding('utf8').on('data', chunk => {
      output += chunk
      const found = /WebDriver BiDi listening on (\S+)/.exec(output)?.[1]
      if (found) resolve(found)
    })
  })

  const send = await connect(`${address}/session`)
  const { capabilities } = (await send('session.new', { capabilities: {} })) as {
    capabilities: { browserVersion: string }
  }
  // Not the tab that it started with: there the address bar has the focus, and no page ever gets it.
  const { context } = (await send('browsingContext.create', { type: 'tab' })) as { context: string }
  await send('browsingContext.setViewport', { context, viewport: WINDOW })

  return {
    version: `Firefox ${capabilities.browserVersion}`,
    async open(url) {
      await send('browsingContext.navigate', { context, url, wait: 'interactive' })
    },
    async reload() {
      await send('browsingContext.reload', { context, wait: 'interactive' })
    },
    async goBack() {
      await send('browsingContext.traverseHistory', { context, delta: -1 })
    },
    async evaluate(expression) {
      const answer = (await send('script.evaluate', { expression, target: { context }, awaitPromise: false })) as {
        result?: { value: string }
        exceptionDetails?: { text: string }
      }
      if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.text)
      return answer.result?.value ?? ''
    },
    async perform(actions) {
      await send('input.performActions', { context, actions })
      await send('input.releaseActions', { context })
    },
    async close() {
      await send('browser.close', {}).catch(stop)
      process.off('exit', stop)
      await ended
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function writeProfile(folder: string, values: Readonly<Record<string, string | number | boolean>>): void {
  const lines = Object.entries(values).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  )
  writeFileSync(join(folder, 'user.js'), lines.join('\n'))
}

type Send = (method: string, params: unknown) => Promise<unknown>

async function connect(address: string): Promise<Send> {
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error(`Firefox does not answer at ${address}`))
  })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  socket.onmessage = ({ data }) => {
    const { id, type, result, error, message } = JSON.parse(String(data)) as Answer
    const command = id === undefined ? undefined : waiting.get(id)
    if (type === 'success') command?.resolve(result)
    else if (type === 'error') command?.reject(new Error(`${error}: ${message}`))
  }
  socket.onclose = () => {
    for (const command of waiting.values()) command.reject(new Error('Firefox has gone'))
  }
  let last = 0
  return (method, params) => {
    const command = Promise.withResolvers<unknown>()
    waiting.set(++last, command)
    socket.send(JSON.stringify({ id: last, method, params }))
    return command.promise
  }
}
