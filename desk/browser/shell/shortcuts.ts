/** Single-key shortcuts. They can be turned off: speech input or a tremor may trigger them by mistake. */
import { useEffect, useRef } from 'react'

const KEY = 'desk-shortcuts'

export function shortcutsAreOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off'
  } catch {
    return true
  }
}

export function turnShortcuts(on: boolean): void {
  try {
    localStorage.setItem(KEY, on ? 'on' : 'off')
  } catch {
    // Storage may be blocked.
  }
}

type Handlers = Readonly<Record<string, (event: KeyboardEvent) => void>>

const typesText = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type))

export function useShortcuts(handlers: Handlers): void {
  const latest = useRef(handlers)
  latest.current = handlers
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (typesText(event.target) || document.querySelector('dialog[open], :popover-open')) return
      const handle = latest.current[event.key]
      if (!handle || !shortcutsAreOn()) return
      event.preventDefault()
      handle(event)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
