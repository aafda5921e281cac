/** WebKit, the engine behind Safari and every iPhone browser: WebKitGTK's MiniBrowser on a virtual screen. */
import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'
import { type Browser, type Key, type Tab, VISITOR_ENV, WINDOW } from './browser.ts'

export const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver'

/** WebDriver's codes for keys that don't type a character. */
const keyCodes: Partial<Record<Key, string>> = {
  Backspace: '\ue003',
  Tab: '\ue004',
  Enter: '\ue007',
  Control: '\ue009',
  End: '\ue010',
  Home: '\ue011',
  ArrowLeft: '\ue012',
  Delete: '\ue017',
}

export async function startWebKit(): Promise<Browser> {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const display = await new Promise<string>((resolve, reject) => {
    screen.once('error', reject)
    screen.once('exit', code => reject(new Error(`Xvfb exited with ${code}`)))
    ;(screen.stdio[3] as Readable).once('data', number => resolve(`:${String(number).trim()}`))
  })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const driver = spawn(WEBKIT_DRIVER, [`--port=${port}`], {
    // The last two are for machines without a graphics card.
    env: { ...VISITOR_ENV, DISPLAY: display, LIBGL_ALWAYS_SOFTWARE: '1', WEBKIT_DISABLE_DMABUF_RENDERER: '1' },
    stdio: 'ignore',
  })
  // The browser exits when its screen closes.
  const stop = () => {
    driver.kill()
    screen.kill()
  }
  process.once('exit', stop)

  async function command(method: 'GET' | 'POST' | 'DELETE', path: string, body = {}, timeout = 60_000) {
    const response = await fetch(url + path, {
      method,
      signal: AbortSignal.timeout(timeout),
      ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
    })
    const { value } = (await response.json()) as { value: { error: string; message: string } }
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`)
    return value as unknown
  }
  await until(() => {
    if (driver.exitCode !== null) throw new Error(`${WEBKIT_DRIVER} exited with ${driver.exitCode}`)
    return fetch(`${url}/status`).catch(() => null)
  })

  return {
    async openTab({ scripting }) {
      const { sessionId, capabilities } = (await command('POST', '/session', {
        capabilities: {
          alwaysMatch: {
            pageLoadStrategy: 'eager',
            ...(scripting
              ? {}
              : { 'webkitgtk:browserOptions': { args: ['--automation', '--enable-javascript=false'] } }),
          },
        },
      })) as { sessionId: string; capabilities: { browserVersion: string } }
      const session = `/session/${sessionId}`
      await command('POST', `${session}/window/rect`, { x: 0, y: 0, ...WINDOW })
      return {
        version: `WebKitGTK ${capabilities.browserVersion}`,
        tab: createTab((path, body, timeout) => command('POST', session + path, body, timeout)),
        // WebKit's driver doesn't tell. The site's pages do: see `reportErrors` in visitor.ts.
        errors: [],
        close: async () => void (await command('DELETE', session)),
      }
    },
    async close() {
      stop()
      process.off('exit', stop)
    },
  }
}

function createTab(post: (path: string, body?: object, timeout?: number) => Promise<unknown>): Tab {
  const perform = (type: 'key' | 'pointer', actions: readonly object[]) =>
    post('/actions', { actions: [{ type, id: type, actions }] }) as Promise<void>
  const down = (key: string) => ({ type: 'keyDown', value: keyCodes[key as Key] ?? key })
  const up = (key: string) => ({ type: 'keyUp', value: keyCodes[key as Key] ?? key })
  // WebKit never responds to a script sent during navigation, so send it again.
  const evaluate = async (expression: string, tries = 20): Promise<unknown> => {
    try {
      return await post('/execute/sync', { script: `return ${expression}`, args: [] }, 5000)
    } catch (error) {
      if ((error as Error).name !== 'TimeoutError' || tries === 1) throw error
      return evaluate(expression, tries - 1)
    }
  }
  return {
    goto: url => post('/url', { url }),
    reload: () => post('/refresh'),
    goBack: () => post('/back'),
    evaluate,
    mouse: {
      click: (x, y) =>
        perform('pointer', [
          { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ]),
    },
    keyboard: {
      type: text =>
        perform(
          'key',
          [...text].flatMap(key => [down(key), up(key)]),
        ),
      press: key => perform('key', [down(key), up(key)]),
      down: key => perform('key', [down(key)]),
      up: key => perform('key', [up(key)]),
    },
  }
}
