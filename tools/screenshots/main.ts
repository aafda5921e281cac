/**
 * Saves every page and state of the site and the desk in screenshots/. To take only some, add parts of their names:
 * `npm run screenshots -- desk-calls`. `-- --docs` takes the screenshots in docs/ instead.
 */
import { mkdir } from 'node:fs/promises'
import { chromium } from '@playwright/test'
import { launchOptions } from '../../tests/support/chromium.ts'
import { takeDesk } from './desk.ts'
import { takeSite } from './site.ts'

const OUT = 'screenshots'
const words = process.argv.slice(2)
const forDocs = words.includes('--docs')

/** Null for a screenshot that nobody asked for. */
const fileFor = (name: string) =>
  words.length === 0 || words.some(word => name.includes(word)) ? `${OUT}/${name}.png` : null

await mkdir(OUT, { recursive: true })
const browser = await chromium.launch(launchOptions())
if (!forDocs) await takeSite(browser, fileFor)
await takeDesk(browser, fileFor, { forDocs })
await browser.close()
