/**
 * Takes pictures of every view of the desk over the demo's month, to be looked at: `npm run desk-screenshots`. With
 * `-- --docs` it also makes the two of the README.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { chromium } from '@playwright/test'
import sharp from 'sharp'
import { launchOptions } from './support/chromium.ts'
import { startDesk } from './support/desk-server.ts'

const OUT = 'screenshots'
const sizes = { phone360: [360, 740], tablet768: [768, 1024], desktop1280: [1280, 800] } as const

const desk = await startDesk()
const browser = await chromium.launch(launchOptions())
await mkdir(OUT, { recursive: true })

const { store } = desk
const firstOf = async (filter: Parameters<typeof store.count>[0]) =>
  (await store.page({ filter, order: 'newest first', limit: 1, after: null }))[0]?.id
const views = {
  today: '/',
  leads: '/leads',
  'leads-held': '/leads?state=held',
  'leads-none': '/leads?state=erased&delivery=dead',
  'lead-held': `/leads/${await firstOf({ state: 'held' })}`,
  'lead-dead': `/leads/${await firstOf({ delivery: 'dead' })}`,
  'lead-repeat': `/leads/${await firstOf({ state: 'repeat' })}`,
  'lead-erased': `/leads/${await firstOf({ state: 'erased' })}`,
  health: '/health',
  you: '/you',
}

const context = await browser.newContext({ reducedMotion: 'reduce' })
const page = await context.newPage()
await page.goto(desk.link)

async function picture(path: string, fullPage: boolean): Promise<Buffer> {
  await page.goto(desk.url + path)
  await page
    .getByText(/^Loading /)
    .first()
    .waitFor({ state: 'detached' })
  await page.evaluate(() => document.fonts.ready)
  return page.screenshot({ fullPage })
}

for (const colorScheme of ['light', 'dark'] as const) {
  await page.emulateMedia({ colorScheme })
  for (const [size, [width, height]] of Object.entries(sizes)) {
    await page.setViewportSize({ width, height })
    for (const [name, path] of Object.entries(views)) {
      await writeFile(`${OUT}/desk-${name}-${size}-${colorScheme}.png`, await picture(path, true))
    }
  }
}

if (process.argv.includes('--docs')) {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 900 })
  for (const [file, path] of [
    ['desk-today', views.today],
    ['desk-lead', views['lead-dead']],
  ] as const) {
    await sharp(await picture(path, false))
      .png({ palette: true, colors: 64, effort: 10 })
      .toFile(`docs/${file}.png`)
  }
}

await browser.close()
await desk.close()
