/** Which keys do what: `?` opens it. */
import { useState } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { shortcutsAreOn, turnShortcuts } from './shortcuts.ts'

const keys: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['t'], 'Today'],
  [['l'], 'Leads'],
  [['h'], 'Health'],
  [['/'], 'Search leads'],
  [['j', '↓'], 'Next lead in the list'],
  [['k', '↑'], 'Lead before'],
  [['x'], 'Select or unselect the lead'],
  [['Enter'], 'Open the lead'],
  [['Esc'], 'Close what is open'],
  [['?'], 'This list'],
]

export function KeyboardHelp({ onClose }: { readonly onClose: () => void }) {
  const [on, setOn] = useState(shortcutsAreOn)
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <table className="w-full">
        <thead className="sr-only">
          <tr>
            <th scope="col">Key</th>
            <th scope="col">What it does</th>
          </tr>
        </thead>
        <tbody>
          {keys.map(([names, what]) => (
            <tr key={what} className="border-b border-line last:border-0">
              <td className="py-2 pr-6">
                {names.map(name => (
                  <kbd
                    key={name}
                    className="mr-1.5 inline-block min-w-8 rounded-md border border-edge bg-mist px-2 py-0.5 text-center font-mono text-small"
                  >
                    {name}
                  </kbd>
                ))}
              </td>
              <td className="w-full py-2">{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
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
        Use these keys in this browser
      </label>
    </Dialog>
  )
}
