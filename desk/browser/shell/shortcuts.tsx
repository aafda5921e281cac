/** Single-key shortcuts, and their list. They can be turned off: speech input or a tremor may trigger them by mistake. */
import { useEffect, useRef, useState } from 'react'
import { leadActions } from '../../../domain/lead-actions.ts'
import { recall, remember } from '../local-storage.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Check } from '../ui/field.tsx'

const KEY = 'desk-shortcuts'

const shortcutsAreOn = () => recall(KEY) !== 'off'

type Handlers = Readonly<Record<string, (event: KeyboardEvent) => void>>

const typesText = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type))

export function useShortcuts(handlers: Handlers): void {
  const latest = useRef(handlers)
  latest.current = handlers
  useEffect(() => {
    function handleKey(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (typesText(event.target) || document.querySelector('dialog[open], :popover-open')) return
      const handle = latest.current[event.key]
      if (!handle || !shortcutsAreOn()) return
      event.preventDefault()
      handle(event)
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [])
}

type Line = readonly [keys: readonly string[], what: string]

const everywhere: readonly Line[] = [
  [['t'], 'Today'],
  [['l'], 'Leads'],
  [['h'], 'Health'],
  [['/'], 'Search leads'],
  [['Esc'], 'Close a dialog or menu'],
  [['?'], 'Show this list'],
]
const inList: readonly Line[] = [
  [['j', '↓'], 'Next lead'],
  [['k', '↑'], 'Previous lead'],
  [['x'], 'Select or deselect the lead'],
  [['Enter'], 'Open the lead'],
]
const onLead: readonly Line[] = Object.values(leadActions).flatMap(({ key, label }) => (key ? [[[key], label]] : []))

export function KeyboardHelp({ onClose }: { readonly onClose: () => void }) {
  const [on, setOn] = useState(shortcutsAreOn)
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <Keys lines={everywhere} />
      <Keys title="In the list" lines={inList} />
      <Keys title="On a lead" lines={onLead} />
      <div className="mt-5">
        <Check
          label="Use shortcuts in this browser"
          checked={on}
          onChange={checked => {
            remember(KEY, checked ? 'on' : 'off')
            setOn(checked)
          }}
        />
      </div>
    </Dialog>
  )
}

function Keys({ title, lines }: { readonly title?: string; readonly lines: readonly Line[] }) {
  return (
    <>
      {title ? <h3 className="mb-1 mt-4 text-base">{title}</h3> : null}
      <dl>
        {lines.map(([names, what]) => (
          <div key={what} className="flex flex-wrap items-baseline gap-x-4 border-b border-line py-1.5 last:border-0">
            <dt className="min-w-20 whitespace-nowrap">
              {names.map(name => (
                <kbd
                  key={name}
                  className="mr-1.5 inline-block min-w-8 rounded-md border border-edge bg-mist px-2 py-0.5 text-center font-mono text-small"
                >
                  {name}
                </kbd>
              ))}
            </dt>
            <dd className="flex-[1_1_10rem]">{what}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
