/** A button that opens a menu of actions. */
import { type ReactNode, useId, useRef } from 'react'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'

export interface MenuItem {
  readonly label: string
  readonly icon: IconName
  readonly isDestructive?: boolean
  readonly onChoose: () => void
}

export function Menu({ label, items }: { readonly label: ReactNode; readonly items: readonly MenuItem[] }) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  return (
    <>
      <Button popoverTarget={id}>
        {label}
        <Icon name="chevron-down" />
      </Button>
      <div
        ref={list}
        id={id}
        popover="auto"
        className="menu-at-button min-w-48 rounded-xl border border-line bg-raised p-1.5 text-ink shadow-raised"
      >
        <div className="grid">
          {items.map(({ label: text, icon, isDestructive = false, onChoose }) => (
            <Button
              key={text}
              kind="quiet"
              icon={icon}
              className={`justify-start ${isDestructive ? 'text-error' : ''}`}
              onClick={() => {
                // Close the menu first: focus goes back to its button, which is where the dialog will return it.
                list.current?.hidePopover()
                onChoose()
              }}
            >
              {text}…
            </Button>
          ))}
        </div>
      </div>
    </>
  )
}
