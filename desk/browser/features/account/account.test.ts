import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import type { Session } from '../../client.ts'
import { SessionContext } from '../../session.ts'
import { Passkeys } from './account.tsx'

afterEach(() => vi.unstubAllGlobals())

const shown = (demo: boolean) =>
  renderToStaticMarkup(
    createElement(
      QueryClientProvider,
      { client: new QueryClient() },
      createElement(
        SessionContext,
        { value: { demo, timeZone: 'America/New_York' } as unknown as Session },
        createElement(Passkeys),
      ),
    ),
  )

test('a second passkey is suggested only where one can be added', () => {
  const isSuggested = (html: string) => [html.includes('second passkey'), html.includes('Add a passkey')]
  expect(isSuggested(shown(false))).toEqual([false, false])
  vi.stubGlobal(
    'PublicKeyCredential',
    Object.assign(() => {}, { parseRequestOptionsFromJSON() {} }),
  )
  expect(isSuggested(shown(false))).toEqual([true, true])
  expect(isSuggested(shown(true))).toEqual([false, false])
})
