/** How long `npm run dev` takes from a saved file to what it changes on the open page, on a copy of the project. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { launchOptions } from '../tests/support/chromium.ts'
import { type CopiedProject, copyProject } from '../tests/support/copied-project.ts'
import { NO_SETTINGS_FILE } from '../tests/support/no-settings-file.ts'
import { median } from './median.ts'
import { progress } from './progress.ts'
import { quietMoment, reportBusyMoments } from './quiet.ts'
import { printTable, verdict } from './table.ts'

const SAVES = 10
const BAR_MS = 1000
/** A computer that is busy with something else stays so: thirty long waits would be all that this does. */
const LONGEST_REST_MS = 2000
const LONGEST_WAIT_MS = 60_000

interface Change {
  readonly file: string
  /** The file with a number in it that no save before had. */
  readonly edited: (text: string, save: number) => string
  /** Run in the page. */
  readonly isShown: (save: number) => boolean
}

const changes: readonly Change[] = [
  {
    file: 'content/landing.ts',
    edited: (text, save) => text.replace(/panelTitle: '.*'/, `panelTitle: 'Saved ${save} times'`),
    isShown: save => document.body.textContent.includes(`Saved ${save} times`),
  },
  {
    file: 'site/static/sections/hero.tsx',
    edited: (text, save) => text.replace(/<h1( data-saved="\d+")?/, `<h1 data-saved="${save}"`),
    isShown: save => document.querySelector(`[data-saved="${save}"]`) !== null,
  },
  {
    file: 'site/styles.css',
    edited: (text, save) => `${text}\nbody { outline-offset: ${save}px; }\n`,
    isShown: save => getComputedStyle(document.body).outlineOffset === `${save}px`,
  },
]

export async function measureSaveToShown(): Promise<void> {
  const project = copyProject()
  const dev = spawn(process.execPath, [join(project.folder, 'build/dev/main.ts')], {
    env: { ...NO_SETTINGS_FILE, PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const browser = await chromium.launch(launchOptions())
  try {
    const page = await browser.newPage()
    progress('starting the development server on a copy')
    await page.goto(await addressOf(dev), { timeout: LONGEST_WAIT_MS })
    const rows: string[][] = []
    for (const change of changes) {
      const saves: Measured[] = []
      for (let save = 1; save <= SAVES; save++) {
        const measured = await timeOf(change, save, { page, project, dev })
        progress(`${change.file}, save ${save} of ${SAVES}: ${Math.round(measured.ms)} ms`)
        saves.push(measured)
      }
      const times = saves.map(({ ms }) => ms)
      rows.push([
        change.file,
        `${Math.round(median(times))} ms`,
        `${Math.round(Math.max(...times))} ms`,
        `${Math.round(median(saves.map(({ processorMs }) => processorMs)))} ms`,
        `${BAR_MS} ms`,
        verdict(median(times) < BAR_MS),
      ])
    }
    printTable([`saved ${SAVES} times`, 'median', 'slowest', 'processor of the server', 'bar', ''], rows)
    reportBusyMoments()
  } finally {
    await browser.close()
    dev.kill('SIGTERM')
    await once(dev, 'close')
    project.remove()
  }
}

interface Scene {
  readonly page: Page
  readonly project: CopiedProject
  readonly dev: ChildProcess
}

interface Measured {
  readonly ms: number
  /** Which other programs do not take from. */
  readonly processorMs: number
}

async function timeOf(
  { file, edited, isShown }: Change,
  save: number,
  { page, project, dev }: Scene,
): Promise<Measured> {
  const before = project.read(file)
  const after = edited(before, save)
  if (after === before) throw new Error(`${file} is not as this measurement knows it.`)
  // The types are looked at after every save: that is not to be measured with the next one.
  await quietMoment(LONGEST_REST_MS)
  const usedBefore = processorMsOf(dev)
  const saved = performance.now()
  project.edit(file, before, after)
  await page.waitForFunction(isShown, save, { polling: 'raf', timeout: LONGEST_WAIT_MS })
  return { ms: performance.now() - saved, processorMs: processorMsOf(dev) - usedBefore }
}

/** As Linux counts it, in hundredths of a second; elsewhere it is not known. */
function processorMsOf({ pid }: ChildProcess): number {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? []
    return (Number(user) + Number(system)) * 10
  } catch {
    return Number.NaN
  }
}

function addressOf(dev: ChildProcess): Promise<string> {
  const listening = Promise.withResolvers<string>()
  let said = ''
  dev.stdout?.setEncoding('utf8').on('data', text => {
    said += text
    const url = /The site\s+(http:\S+)/.exec(said)?.[1]
    if (url !== undefined) listening.resolve(url)
  })
  dev.on('exit', () => listening.reject(new Error('The development server has not started.')))
  return listening.promise
}
