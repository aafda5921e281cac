/** The keyboard shortcuts; `?` opens it. */
import { useState } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { shortcutsAreOn, turnShortcuts } from './shortcuts.ts'

const keys: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['t'], 'Today'],
  [['l'], 'Leads'],
  [['h'], 'Health'],
  [['/'], 'Search leads'],
  [['j', '↓'], 'Next lead in the list'],
  [['k', '↑'], 'Previous lead'],
  [['x'], 'Select or deselect the lead'],
  [['Enter'], 'Open the lead'],
  [['Esc'], 'Close a dialog or menu'],
  [['?'], 'Keyboard shortcuts'],
]

export function KeyboardHelp({ onClose }: { readonly onClose: () => void }) {
  const [on, setOn] = useState(shortcutsAreOn)
  return (
    // A short title: with large text on a phone a longer one would break.
    <Dialog title="Keys" onClose={onClose}>
      <dl>
        {keys.map(([names, what]) => (
          <div key={what} className="flex flex-wrap items-baseline gap-x-4 border-b border-line py-2 last:border-0">
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
      <label className="mt-5 flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-action"
          checked={on}
          onChange={event => {
            turnShortcuts(event.target.checked)
            setOn(event.target.checked)
          }}
        />
        Use shortcuts in this browser
      </label>
    </Dialog>
  )
}
