/** `npm run dev` on a copy of the project: edits appear right away, errors are reported, and leads are accepted. */
import { spawn } from 'node:child_process'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { landing, thankYou } from '../support/content.ts'
import { type CopiedProject, copyProject } from '../support/copied-project.ts'
import { PROGRAM_ENV } from '../support/processes.ts'

const test = base.extend<{ project: CopiedProject; url: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
  project: async ({}, use) => {
    const project = copyProject('dev')
    project.edit('content/organization.toml', 'format = 1', 'formt = 1')
    await use(project)
    project.remove()
  },
  url: async ({ project }, use) => {
    const env = { ...PROGRAM_ENV, PORT: '0' }
    const child = spawn(process.execPath, [join(project.folder, 'build/dev.ts')], { env, stdio: 'pipe' })
    let output = ''
    const listening = Promise.withResolvers<string>()
    child.stdout.setEncoding('utf8').on('data', text => {
      output += text
      const url = /Local:\s+(http:\S+)\//.exec(output)?.[1]
      if (url !== undefined) listening.resolve(url)
    })
    child.stderr.resume()
    await use(await listening.promise)
    child.kill('SIGTERM')
    await new Promise(resolve => child.on('close', resolve))
  },
})

test('npm run dev shows edits, variants, and errors, and accepts leads', async ({ page, project, url }) => {
  test.slow()
  const { heading = '' } = landing.faq ?? {}
  /** Before each try, because Vite's watcher may miss a save while it starts, and the second of two quick ones. */
  const saveAgain = (edited: string) => utimesSync(join(project.folder, edited), new Date(), new Date())
  const expectHtml = (path: string, html: RegExp, edited = 'content/en.toml') =>
    expect
      .poll(
        async () => {
          saveAgain(edited)
          return (await fetch(url + path)).text()
        },
        { timeout: 120_000 },
      )
      .toMatch(html)

  /** A save that Vite notices late reloads the page, which ends a navigation. */
  const open = (to: string) => expect(async () => void (await page.goto(to))).toPass()

  await test.step('a mistake from before it started is gone when it’s mended', async () => {
    await expectHtml('/', /There is no formt\. Did you mean format\?/, 'content/organization.toml')
    project.edit('content/organization.toml', 'formt = 1', 'format = 1')
    await expectHtml('/', /<h1/, 'content/organization.toml')
  })
  const connected = page.waitForEvent('console', message => message.text() === '[vite] connected.')
  await page.goto(url)
  await expect(page.getByRole('heading', { name: heading })).toBeVisible()
  await connected
  await test.step('changed text appears by itself', async () => {
    project.edit('content/en.toml', heading, 'Asked every day')
    await expect(async () => {
      saveAgain('content/en.toml')
      await expect(page.getByRole('heading', { name: 'Asked every day' })).toBeVisible()
    }).toPass()
  })
  // Each save would reload the page.
  await open('about:blank')
  await test.step('a variant can be opened by name', async () => {
    project.edit(
      'content/en.toml',
      '[header]',
      '[headlines.plain]\nheadline = "Out of work?"\nlead = "See."\n\n[header]',
    )
    await expectHtml('/?variant=plain', /<h1[^>]*>Out of work\?/)
    await expectHtml('/', /<h1[^>]*>(?!Out of work)/)
    await expectHtml('/?variant=plane', /This page has only these variants: original, plain\./)
  })
  await test.step('errors show file and line', async () => {
    project.edit('content/en.toml', '"Asked every day"', '“Asked every day”')
    await expectHtml('/', /content\/en\.toml, line \d+: Use straight quotes/)
    project.edit('content/en.toml', '“Asked every day”', '""')
    await expectHtml('/', /content\/en\.toml, line \d+: heading in \[landing\.faq\] can’t be empty/)
    project.edit('content/en.toml', 'heading = ""', 'heading = "Asked every day"')
    await expectHtml('/', /<h2[^>]*>Asked every day/)
  })
  await test.step('a misspelled name, a figure typed by hand, and a pale button are reported with file and line, until they’re fixed', async () => {
    const overlay = page.locator('vite-error-overlay')
    const expectReport = (report: RegExp | null, file = 'content/en.toml') =>
      expect(async () => {
        saveAgain(file)
        if (report === null) await expect(overlay).toHaveCount(0)
        else await expect(overlay).toContainText(report)
      }).toPass()
    await open(url)
    project.edit('content/en.toml', 'cta = "Get Started Now"', 'ctaa = "Get Started Now"')
    const suggestion = /content\/en\.toml, line \d+: There is no ctaa in \[landing\.howItWorks\]\. Did you mean cta\?/
    await expectReport(suggestion)
    // A page that's opened later says so, too.
    await open(`${url}/advertorial`)
    await expect(overlay).toContainText(suggestion)
    project.edit('content/en.toml', 'ctaa =', 'cta =')
    project.edit('content/en.toml', 'Asked every day', '$4,999 or 97% More')
    await expectReport(/content\/en\.toml, line \d+: Figures that aren’t in .*“\$4,999”/)
    project.edit('content/en.toml', '$4,999 or 97% More', 'Asked every day')
    const facts = 'content/organization.toml'
    project.edit(facts, 'action = "#1e6b4b"', 'action = "#8fd3b0"')
    await expectReport(/content\/organization\.toml, line \d+: Hard to read: card on action \(1\.7:1/, facts)
    await expectHtml('/', /#8fd3b0/, facts)
    project.edit(facts, '#8fd3b0', '#1e6b4b')
    await expectReport(null, facts)
    await open('about:blank')
  })
  await test.step('an unknown path gets the 404 page, also in a language that was just turned off', async () => {
    project.edit('content/organization.toml', 'languages = ["en", "es"]', 'languages = ["en"]')
    await expectHtml('/es/', /<html lang="en"/, 'content/organization.toml')
    for (const path of ['/no/such/page', '/es/', '/es/no/such/page', '/xx/']) {
      const response = await fetch(url + path)
      expect([path, response.status]).toEqual([path, 404])
    }
  })
  await test.step('a lead is accepted, and what the thank-you page then says has an address', async () => {
    expect((await fetch(`${url}/api/leads?firstName=Ann`)).status).toBe(202)
    const response = await fetch(`${url}/api/leads`, { method: 'POST', redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/thank-you'])
    await open(`${url}/thank-you?sent`)
    await expect(page.getByText(thankYou.sentLead)).toBeVisible()
  })
})
