import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readLegalPage } from './legal.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'legal-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

const help = () => readLegalPage('en', 'help', pathToFileURL(`${folder}/`))

test('a page is a draft if its first line says so or its file is missing', () => {
  expect(help().isDraft).toBe(true)
  writeFileSync(join(folder, 'help.md'), '\uFEFFDraft: to be completed.\r\n\r\n# Help\r\n')
  expect(help()).toMatchObject({ path: '/help', file: 'content/en/legal/help.md', isDraft: true })
  writeFileSync(join(folder, 'help.md'), '# Help\n')
  expect(help()).toMatchObject({ isDraft: false, text: '# Help\n' })
})
