/** The browser's entry point. */
import './styles.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { PAGE_OF } from '../limits.ts'
import { App } from './app.tsx'
import { ApiError, onSignedOut, sendWithRequests } from './client.ts'
import { sessionEnded, sessionQuery } from './session.ts'
import { ErrorBoundary } from './shell/page.tsx'
import { watchForLostFocus } from './ui/focus.ts'

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // Retry only if the server couldn't be reached, not if it returned an error.
      retry: (failures, error) => error instanceof ApiError && error.code === 'not connected' && failures < 2,
      staleTime: 5000,
      networkMode: 'always',
      // Only the pulse decides what to refetch: see pulse.ts.
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
    // Don't wait for the network: a queued change would still go out later, even if the user canceled.
    mutations: { networkMode: 'always' },
  },
})

onSignedOut(() => {
  if (client.getQueryData(sessionQuery.queryKey)) client.setQueryData(sessionEnded.queryKey, true)
  client.setQueryData(sessionQuery.queryKey, null)
})

// For the server to compare: in another tab, someone else may be signed in by now.
sendWithRequests(() => {
  const session = client.getQueryData(sessionQuery.queryKey)
  return session ? { [PAGE_OF]: session.id } : {}
})

watchForLostFocus()

const element = document.querySelector('#desk')
if (!element) throw new Error('The document has no #desk element.')
createRoot(element).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <ErrorBoundary>
        <App />
      </ErrorBoundary>
    </QueryClientProvider>
  </StrictMode>,
)
