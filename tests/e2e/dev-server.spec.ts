/** `npm run dev` on a copy: edits appear at once, errors are reported, and a lead is shown as the webhook would get it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { landing } from '../../content/landing.ts'
import { eligibleAnswers } from '../support/answers.ts'
import { type CopiedProject, copyProject } from '../support/copied-project.ts'
import { PROGRAM_ENV } from '../support/processes.ts'
import { margaret } from './visitor.ts'

interface DevServer {
  readonly url: string
  readonly said: () => string
}

const test = base.extend<{ project: CopiedProject; dev: DevServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
  project: async ({}, use) => {
    const project = copyProject()
    await use(project)
    project.remove()
  },
  dev: async ({ project }, use) => {
    const child: ChildProcess = spawn(process.execPath, [join(project.folder, 'build/dev/main.ts')], {
      env: { ...PROGRAM_ENV, PORT: '0', LEAD_WEBHOOK_URL: 'http://127.0.0.1:9/real' },
    })
    let said = ''
    const listening = Promise.withResolvers<string>()
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', text => {
        said += text
        const url = /The site\s+(http:\S+)/.exec(said)?.[1]
        if (url !== undefined) listening.resolve(url)
      })
    }
    await use({ url: await listening.promise, said: () => said })
    child.kill('SIGTERM')
    await new Promise(resolve => child.on('close', resolve))
  },
})

test('an edit appears at once, an error is reported and fixed, and a lead is accepted', async ({
  page,
  project,
  dev,
}) => {
  test.slow()
  await page.goto(dev.url)
  const { heading } = landing.faq
  await expect(page.getByRole('heading', { name: heading })).toBeVisible()

  await test.step('a changed text, also in a page that was on its way when it changed', async () => {
    const late = await page.context().newPage()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await late.route('**/@vite/client', async route => {
      await released
      await route.continue()
    })
    await late.goto(dev.url, { waitUntil: 'commit' })
    await expect(late.getByRole('heading', { name: heading })).toBeVisible()
    project.edit('content/landing.ts', heading, 'Asked every day')
    await expect(page.getByRole('heading', { name: 'Asked every day' })).toBeVisible()
    release()
    await expect(late.getByRole('heading', { name: 'Asked every day' })).toBeVisible()
    await late.close()
  })
  await test.step('a changed style', async () => {
    const styles = project.read('site/styles.css')
    project.edit('site/styles.css', styles, `${styles}\nbody { outline: 3px solid; }`)
    await expect(page.locator('body')).toHaveCSS('outline-width', '3px')
  })
  await test.step('a variant, by its name', async () => {
    const headline = 'Disabled and out of work?'
    project.edit(
      'content/landing.ts',
      'headlineVariants: readonly HeadlineVariant[] = []',
      `headlineVariants: readonly HeadlineVariant[] = [{ name: 'plain', headline: '${headline}', lead: 'See if you may qualify.' }]`,
    )
    const preview = await page.context().newPage()
    await expect(async () => {
      await preview.goto(`${dev.url}/?variant=plain`)
      await expect(preview.getByRole('heading', { level: 1 })).toHaveText(headline, { timeout: 5000 })
    }).toPass()
    await preview.goto(dev.url)
    await expect(preview.getByRole('heading', { level: 1 })).not.toHaveText(headline)
    await preview.close()
  })
  await test.step('an error', async () => {
    project.edit('content/landing.ts', 'export const landing = {', 'export const landing = { title')
    await expect(page.getByText(/content\/landing\.ts, line \d+: .*expected/)).toBeVisible()
    await expect.poll(dev.said).toMatch(/content\/landing\.ts, line \d+: .*expected/)
    expect(dev.said()).not.toMatch(/\n\s+at /)
    project.edit('content/landing.ts', 'export const landing = { title', 'export const landing = {')
    await expect(page.getByRole('heading', { name: 'Asked every day' })).toBeVisible()
  })
  await test.step('a misnamed text', async () => {
    project.edit('content/landing.ts', "heading: 'Asked every day'", "haeding: 'Asked every day'")
    await expect.poll(dev.said, { timeout: 120_000 }).toMatch(/content\/landing\.ts, line \d+: 'heading' is missing\./)
    project.edit('content/landing.ts', "haeding: 'Asked every day'", "heading: 'Asked every day'")
    await expect.poll(dev.said, { timeout: 120_000 }).toContain('No errors left.')
  })
  await test.step('a lead by the plain form', async () => {
    const origin = new URL(dev.url).origin
    const html = await (await fetch(dev.url)).text()
    const hidden = (name: string) => new RegExp(`name="${name}" value="([0-9a-f]{64})"`).exec(html)?.[1] ?? ''
    const versions = {
      consentVersion: hidden('consentVersion'),
      questionnaireVersion: hidden('questionnaireVersion'),
    }
    const answer = await fetch(`${dev.url}/api/leads`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin, referer: `${origin}/?utm_campaign=spring`, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ ...eligibleAnswers, ...margaret, page: '/', ...versions }),
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/thank-you'])
    await expect.poll(dev.said).toMatch(/The webhook got a GET, \S+, not signed\n.*firstName = M…/)
    expect(dev.said()).not.toContain(margaret.email)
  })
})
