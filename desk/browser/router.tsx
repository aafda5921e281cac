/** Client-side routing: the URL is the state, and links change it without a page load. */
import { type ComponentProps, useSyncExternalStore } from 'react'

const NAVIGATED = 'desk:navigated'

function subscribe(listener: () => void): () => void {
  addEventListener('popstate', listener)
  addEventListener(NAVIGATED, listener)
  return () => {
    removeEventListener('popstate', listener)
    removeEventListener(NAVIGATED, listener)
  }
}

export const usePath = () => useSyncExternalStore(subscribe, () => location.pathname)
/** The query string, without the question mark. */
export const useQueryString = () => useSyncExternalStore(subscribe, () => location.search)
/** The state stored in the current history entry. */
export const useHistoryState = <T,>() => useSyncExternalStore(subscribe, () => history.state as T | null)

interface NavigateOptions {
  readonly state?: object | undefined
  readonly replace?: boolean
}

export function navigate(href: string, { state, replace = false }: NavigateOptions = {}): void {
  const before = location.pathname
  history[replace ? 'replaceState' : 'pushState'](state ?? null, '', href)
  // A page that is shown at once, from the cache, would keep the scroll position of the one before.
  if (location.pathname !== before) scrollTo(0, 0)
  dispatchEvent(new Event(NAVIGATED))
}

interface LinkProps extends ComponentProps<'a'> {
  readonly href: string
  readonly state?: object | undefined
}

export function Link({ href, state, onClick, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={href}
      onClick={event => {
        onClick?.(event)
        // Handle only plain clicks. The browser handles new tabs, new windows, and downloads.
        if (event.defaultPrevented || event.button !== 0) return
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        navigate(href, { state })
      }}
    />
  )
}
