import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { LinkDialog, missedLanguages } from './dialogs.tsx'

vi.mock(import('../../times.ts'), async original => {
  const module = await original()
  return { ...module, useTimes: () => module.timesIn('America/New_York') }
})

test('taking calls from the only one who speaks Spanish says so', () => {
  expect(missedLanguages(['es'])).toBe(' Nobody else who calls speaks Spanish.')
  expect(missedLanguages([])).toBe('')
})

test('the link after a lost device warns against sending it there; another one doesn’t', () => {
  const link = { name: 'Ann Lee', link: 'https://desk.example/invitation#x', expiresAt: 0 }
  const html = (isLost?: boolean) =>
    renderToStaticMarkup(createElement(LinkDialog, { created: { ...link, ...(isLost && { isLost }) }, onClose() {} }))
  expect([html(true).includes('the lost device'), html().includes('the lost device')]).toEqual([true, false])
})
