/** Single-key shortcuts and a help dialog. Users can turn shortcuts off: speech input or a tremor can trigger them by mistake. */
import { useEffect, useEffectEvent, useState } from 'react'
import { callbackTimes } from '../../../domain/calling/callbacks.ts'
import { callOutcomeNames, callOutcomes } from '../../../domain/calling/outcomes.ts'
import { canPerform, leadActionNames, leadActions } from '../../../domain/leads/lead-actions.ts'
import { type DeskRole, roleAllows } from '../../../domain/roles.ts'
import { menuOf } from '../../routes.ts'
import { readSetting, saveSetting } from '../local-storage.ts'
import { useSession } from '../session.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Checkbox } from '../ui/field.tsx'

const KEY = 'desk-shortcuts'

const shortcutsAreOn = () => readSetting(KEY) !== 'off'

type Handlers = Readonly<Record<string, (event: KeyboardEvent) => void>>

const isTextInput = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type))

const focusedControl = ({ target }: KeyboardEvent) =>
  target instanceof Element ? target.closest('a, button, summary, label') : null

function useKeys(onKey: (event: KeyboardEvent) => void): void {
  const handleKey = useEffectEvent(onKey)
  useEffect(() => {
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [])
}

export function useShortcuts(handlers: Handlers): void {
  useKeys(event => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (isTextInput(event.target) || document.querySelector('dialog[open], :popover-open')) return
    // Enter presses what has the focus. Held down, it would go on to the next step: Call next, then dial.
    if (event.key === 'Enter' && (event.repeat || focusedControl(event))) return
    const handle = handlers[event.key]
    if (!handle || !shortcutsAreOn()) return
    event.preventDefault()
    handle(event)
  })
}

/** Also while someone types. */
export function useCtrlEnter(run: () => void): void {
  useKeys(event => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || document.querySelector('dialog[open]')) return
    event.preventDefault()
    // Someone who holds the keys down isn't done with the next person, too.
    if (!event.repeat) run()
  })
}

type Entry = readonly [keys: readonly string[], label: string]

const incoming: Entry = [['i'], 'Someone called us']
const everywhere: readonly Entry[] = [
  [['/'], 'Search leads'],
  [['Esc'], 'Close a dialog or menu'],
  [['?'], 'Show keyboard shortcuts'],
]
const select: Entry = [['x'], 'Select or deselect the lead']
const inList: readonly Entry[] = [
  [['j', '↓'], 'Next lead'],
  [['k', '↑'], 'Previous lead'],
  select,
  [['Enter'], 'Open the lead'],
]
const onCalls: readonly Entry[] = [
  [['Enter'], 'Call next, then call the number'],
  ...callOutcomeNames.map(name => [[callOutcomes[name].key], callOutcomes[name].label] as const),
  ...Object.values(callbackTimes).map(({ key, help }) => [[key], help] as const),
  [['Ctrl+Enter'], 'Save and next'],
]
const onLead = (role: DeskRole): readonly Entry[] =>
  leadActionNames.flatMap(name => {
    const { key, label } = leadActions[name]
    return key && canPerform(name, role) ? [[[key], label] as const] : []
  })

export function KeyboardHelp({ onClose }: { readonly onClose: () => void }) {
  const { callList, role } = useSession()
  const isEditor = roleAllows(role, 'editor')
  const isAgent = callList && roleAllows(role, 'agent')
  const onThisLead = onLead(role)
  const pages = menuOf({ role, callList }).flatMap(({ key, title }) => (key ? [[[key], title] as const] : []))
  const [on, setOn] = useState(shortcutsAreOn)
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <ShortcutList entries={[...pages, ...(isAgent ? [incoming] : []), ...everywhere]} />
      {isAgent ? <ShortcutList title="On a call" entries={onCalls} /> : null}
      <ShortcutList title="In the leads list" entries={inList.filter(entry => isEditor || entry !== select)} />
      {onThisLead.length > 0 ? <ShortcutList title="On a lead’s page" entries={onThisLead} /> : null}
      <div className="mt-5">
        <Checkbox
          label="Use shortcuts in this browser"
          checked={on}
          onChange={checked => {
            saveSetting(KEY, checked ? 'on' : 'off')
            setOn(checked)
          }}
        />
      </div>
    </Dialog>
  )
}

function ShortcutList({ title, entries }: { readonly title?: string; readonly entries: readonly Entry[] }) {
  return (
    <>
      {title ? <h3 className="mb-1 mt-4 text-base">{title}</h3> : null}
      <dl>
        {entries.map(([names, label]) => (
          <div key={label} className="flex flex-wrap items-baseline gap-x-4 border-b border-line py-1.5 last:border-0">
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
            <dd className="flex-[1_1_10rem]">{label}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
