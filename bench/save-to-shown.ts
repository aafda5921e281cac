/** How long `npm run dev` takes from a saved file to what it changes on the open page, on a copy of the project. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
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
    await page.goto(await addressOf(dev))
    const rows: string[][] = []
    for (const change of changes) {
      progress(change.file)
      const times: number[] = []
      for (let save = 1; save <= SAVES; save++) times.push(await timeOf(change, save, { page, project }))
      rows.push([
        change.file,
        `${Math.round(median(times))} ms`,
        `${Math.round(Math.max(...times))} ms`,
        `${BAR_MS} ms`,
        verdict(Math.max(...times) < BAR_MS),
      ])
    }
    printTable([`saved ${SAVES} times`, 'median', 'slowest', 'bar', ''], rows)
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
}

async function timeOf({ file, edited, isShown }: Change, save: number, { page, project }: Scene): Promise<number> {
  const before = project.read(file)
  const after = edited(before, save)
  if (after === before) throw new Error(`${file} is not as this measurement knows it.`)
  // The types are looked at after every save: that is not to be measured with the next one.
  await quietMoment()
  const saved = performance.now()
  project.edit(file, before, after)
  await page.waitForFunction(isShown, save, { polling: 'raf' })
  return performance.now() - saved
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
