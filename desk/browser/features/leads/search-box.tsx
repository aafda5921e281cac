/** One box for name, email, phone, and ID. Searches shortly after the last keystroke, or immediately on Enter. */
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { Key, QUIET_KEY } from '../../ui/key.tsx'

const DEBOUNCE_MS = 250

interface SearchBoxProps {
  readonly box: RefObject<HTMLInputElement | null>
  readonly search: string
  readonly onSearch: (search: string) => void
  /** The down arrow moves focus to the list. */
  readonly onDown: () => void
}

export function SearchBox({ box, search, onSearch, onDown }: SearchBoxProps) {
  const [typed, setTyped] = useState(search)
  const latest = useRef(onSearch)
  latest.current = onSearch
  // The browser's Back and Forward buttons can change the search.
  useEffect(() => setTyped(search), [search])
  useEffect(() => {
    if (typed === search) return
    const timer = setTimeout(() => latest.current(typed), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed, search])
  return (
    <search className="relative block">
      <Icon name="search" size={20} className="pointer-events-none absolute left-3.5 top-3.5 text-ink-soft" />
      <input
        ref={box}
        type="search"
        aria-label="Search leads by name, email, phone, or ID"
        placeholder="Name, email, phone, or ID"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={200}
        className="min-h-12 w-full rounded-xl border border-edge bg-card py-2 pl-11 pr-12 text-ink shadow-card placeholder:text-ink-soft [&::-webkit-search-cancel-button]:hidden"
        value={typed}
        onChange={event => setTyped(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Enter') onSearch(typed)
          if (event.key === 'ArrowDown') {
            event.preventDefault()
            onDown()
          }
          if (event.key === 'Escape' && typed === '') event.currentTarget.blur()
        }}
      />
      {typed === '' ? (
        <Key name="/" className={`pointer-events-none absolute right-3.5 top-3 ${QUIET_KEY}`} />
      ) : (
        <button
          type="button"
          aria-label="Clear search"
          className="absolute right-0.5 top-0.5 grid size-11 place-items-center rounded-lg hover:bg-mist"
          onClick={() => {
            setTyped('')
            onSearch('')
            box.current?.focus()
          }}
        >
          <Icon name="close" />
        </button>
      )}
    </search>
  )
}
