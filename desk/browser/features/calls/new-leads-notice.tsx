/** Says in a background tab how many new leads are waiting: in its title and, if turned on, as a notification without personal data. */
import { useEffect, useRef, useState } from 'react'
import { readSetting, saveSetting } from '../../local-storage.ts'
import { Checkbox } from '../../ui/field.tsx'

const KEY = 'desk-notify'
const isOn = () => readSetting(KEY) === 'on' && 'Notification' in window && Notification.permission === 'granted'

export function NewLeadsNotice({ newLeads }: { readonly newLeads: number }) {
  const [on, setOn] = useState(isOn)
  const [blocked, setBlocked] = useState(false)
  const before = useRef(newLeads)
  useEffect(() => {
    const showCount = () => {
      document.title = document.hidden && newLeads > 0 ? `(${newLeads}) Calls · Desk` : 'Calls · Desk'
    }
    showCount()
    document.addEventListener('visibilitychange', showCount)
    if (document.hidden && on && newLeads > before.current) {
      const body = newLeads === 1 ? '1 new lead is waiting.' : `${newLeads} new leads are waiting.`
      new Notification('New lead to call', { body, tag: 'calls' })
    }
    before.current = newLeads
    return () => document.removeEventListener('visibilitychange', showCount)
  }, [newLeads, on])
  if (!('Notification' in window)) return null
  return (
    <div className="print:hidden">
      <Checkbox
        label="Notify me about new leads"
        checked={on}
        onChange={async checked => {
          const granted = checked && (await Notification.requestPermission()) === 'granted'
          saveSetting(KEY, granted ? 'on' : 'off')
          setOn(granted)
          setBlocked(checked && !granted)
        }}
      />
      <p role="status" className="text-small">
        {blocked ? 'Your browser blocks notifications. Allow them in its site settings.' : ''}
      </p>
    </div>
  )
}
