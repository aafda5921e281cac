import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { newFolder } from '../tests/support/after-test.ts'
import { readLegalPage } from './legal.ts'

test('a page is a draft if its first line says so or its file is missing', () => {
  const folder = newFolder()
  const help = () => readLegalPage('en', 'help', pathToFileURL(`${folder}/`))
  expect(help().isDraft).toBe(true)
  writeFileSync(join(folder, 'help.md'), '\uFEFFDraft: to be completed.\r\n\r\n# Help\r\n')
  expect(help()).toMatchObject({ path: '/help', file: 'content/en/legal/help.md', isDraft: true })
  writeFileSync(join(folder, 'help.md'), '# Help\n')
  expect(help()).toMatchObject({ isDraft: false, text: '# Help\n' })
})
