/** A button with a list of choices below it: the browser's own popover, which closes by Escape and by a press beside it. */
import { type ReactNode, type ToggleEvent, useId, useRef, useState } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface MenuItem {
  readonly label: string
  readonly icon: IconName
  readonly checked?: boolean
  readonly onChoose: () => void
}

interface MenuProps {
  readonly label: string
  /** What the button shows. */
  readonly children: ReactNode
  readonly items: readonly MenuItem[]
  /** With an edge, where it does not stand among others like it. */
  readonly edged?: boolean
}

export function Menu({ label, children, items, edged = false }: MenuProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const entries = () => Array.from(list.current?.querySelectorAll<HTMLElement>('button') ?? [])

  function move(key: string): boolean {
    const all = entries()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[key]
    if (to === undefined) return false
    all.at(to % all.length)?.focus()
    return true
  }

  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        className={`inline-flex min-h-11 items-center gap-2 rounded-lg border font-bold hover:bg-mist ${edged ? 'border-edge bg-card px-4' : 'border-transparent px-2.5'}`}
      >
        {children}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className="menu-at-button min-w-48 max-w-[calc(100vw-1.5rem)] rounded-xl border border-line bg-raised p-1.5 text-ink shadow-raised"
        onToggle={(event: ToggleEvent) => {
          const opened = event.newState === 'open'
          setOpen(opened)
          if (opened) (entries().find(entry => entry.ariaChecked === 'true') ?? entries()[0])?.focus()
        }}
        onKeyDown={event => {
          if (move(event.key)) event.preventDefault()
          if (event.key === 'Tab') list.current?.hidePopover()
        }}
      >
        {items.map(({ label: text, icon, checked, onChoose }) => (
          <button
            key={text}
            type="button"
            role={checked === undefined ? 'menuitem' : 'menuitemradio'}
            {...(checked === undefined ? {} : { 'aria-checked': checked })}
            tabIndex={-1}
            className="flex min-h-11 w-full items-center gap-3 rounded-lg px-3 text-left hover:bg-mist focus-visible:bg-mist aria-checked:font-bold"
            onClick={() => {
              list.current?.hidePopover()
              onChoose()
            }}
          >
            <Icon name={icon} />
            {text}
            {checked ? (
              <span aria-hidden className="ml-auto">
                ✓
              </span>
            ) : null}
          </button>
        ))}
      </div>
    </>
  )
}
