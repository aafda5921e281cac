/**
 * Says how many new leads are waiting: in a background tab's title and, if turned on, as a notification without personal data. A sound,
 * if turned on, also plays in the tab that someone is looking at.
 */
import { useEffect, useRef, useState } from 'react'
import { readSetting, saveSetting } from '../../local-storage.ts'
import { Checkbox } from '../../ui/field.tsx'

const KEY = 'desk-notify'
const SOUND_KEY = 'desk-sound'
const isOn = () => readSetting(KEY) === 'on' && 'Notification' in window && Notification.permission === 'granted'

export function NewLeadsNotice({ newLeads }: { readonly newLeads: number }) {
  const [on, setOn] = useState(isOn)
  const [sound, setSound] = useState(() => readSetting(SOUND_KEY) === 'on')
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
    if (sound && newLeads > before.current) playSound()
    before.current = newLeads
    return () => document.removeEventListener('visibilitychange', showCount)
  }, [newLeads, on, sound])
  return (
    <div className="mt-6 flex flex-wrap gap-x-6 print:hidden">
      {'Notification' in window ? (
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
      ) : null}
      <Checkbox
        label="Play a sound for new leads"
        checked={sound}
        onChange={checked => {
          saveSetting(SOUND_KEY, checked ? 'on' : 'off')
          setSound(checked)
          // So people hear what to listen for, and the browser lets the page make sounds.
          if (checked) playSound()
        }}
      />
      <p role="status" className="w-full text-small">
        {blocked ? 'Your browser blocks notifications. Allow them in its site settings.' : ''}
      </p>
    </div>
  )
}

const TONES = [660, 880]
const TONE_SECONDS = 0.15

/** Two short tones. A browser may refuse until someone has used the page. */
function playSound(): void {
  const context = new AudioContext()
  for (const [index, frequency] of TONES.entries()) {
    const tone = new OscillatorNode(context, { frequency })
    tone.connect(new GainNode(context, { gain: 0.2 })).connect(context.destination)
    tone.start(index * TONE_SECONDS)
    tone.stop((index + 1) * TONE_SECONDS)
    if (index === TONES.length - 1) tone.onended = () => void context.close()
  }
}
