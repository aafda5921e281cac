/** WebKit, the engine of every browser on an iPhone: WebKitGTK in a bare window on a virtual screen, by its own driver. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { type Browser, type BrowserOptions, SURROUNDINGS, WINDOW } from './browser.ts'

export const WINDOW_PROGRAM = join(import.meta.dirname, 'webkit-window.py')

interface Session {
  readonly sessionId: string
  readonly capabilities: { readonly browserVersion: string }
}

export async function startWebKit(driverProgram: string, { scripting }: BrowserOptions): Promise<Browser> {
  const screen = await startScreen()
  const port = await freePort()
  const driver = spawn(driverProgram, [`--port=${port}`], {
    // Without a graphics card.
    env: {
      ...process.env,
      ...SURROUNDINGS,
      ...screen.env,
      LIBGL_ALWAYS_SOFTWARE: '1',
      WEBKIT_DISABLE_DMABUF_RENDERER: '1',
    },
    stdio: 'ignore',
  })
  // The window goes with its screen.
  const stop = () => {
    driver.kill()
    screen.close()
  }
  process.once('exit', stop)
  const command = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown> => {
    const init = { method, ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}) }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init)
    const { value } = (await answer.json()) as { value: { error: string; message: string } }
    if (!answer.ok) throw new Error(`${value.error}: ${value.message}`)
    return value
  }
  await untilReady(driver, () => command('GET', '/status'))

  const args = [String(WINDOW.width), String(WINDOW.height), ...(scripting ? [] : ['--without-script'])]
  const { sessionId, capabilities } = (await command('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        // An answer that is lost while one page makes way for another is asked for again.
        timeouts: { script: 2000, pageLoad: 20_000 },
        'webkitgtk:browserOptions': { binary: WINDOW_PROGRAM, args },
      },
    },
  })) as Session
  const session = `/session/${sessionId}`

  return {
    version: `WebKitGTK ${capabilities.browserVersion}`,
    async open(url) {
      await command('POST', `${session}/url`, { url })
    },
    async reload() {
      await command('POST', `${session}/refresh`)
    },
    async goBack() {
      await command('POST', `${session}/back`)
    },
    async evaluate(expression) {
      const script = `return ${expression}`
      return (await command('POST', `${session}/execute/sync`, { script, args: [] })) as string
    },
    async perform(actions) {
      await command('POST', `${session}/actions`, { actions })
      await command('DELETE', `${session}/actions`)
    },
    async close() {
      await command('DELETE', session).catch(() => {})
      stop()
      process.off('exit', stop)
    },
  }
}

/** A screen that nobody sees, under a number that is free. */
async function startScreen(): Promise<{ env: Record<string, string>; close(): void }> {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const display = await new Promise<string>((resolve, reject) => {
    server.once('error', reject)
    server.once('exit', code => reject(new Error(`Xvfb ended with ${code}`)))
    ;(server.stdio[3] as Readable).once('data', number => resolve(`:${String(number).trim()}`))
  })
  return { env: { DISPLAY: display, GDK_BACKEND: 'x11' }, close: () => void server.kill() }
}

/** The driver cannot be told to choose a port by itself. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

async function untilReady(driver: ChildProcess, ask: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; attempt < 200 && driver.exitCode === null; attempt++) {
    try {
      await ask()
      return
    } catch {
      await wait(50)
    }
  }
  throw new Error('WebKitWebDriver does not answer')
}
