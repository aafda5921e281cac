/** Asks how someone asked not to be called, and the date of a letter or an email. The answer is recorded. */
import { useState } from 'react'
import { type EnteredStop, enteredSources, stopSources } from '../../../../domain/do-not-call/do-not-call.ts'
import { parseDate } from '../../leads-url.ts'
import { useToday } from '../../times.ts'
import { Select, TextField } from '../../ui/field.tsx'

const choices = enteredSources.map(
  source => [source, source === 'desk' ? 'In person, or another way' : stopSources[source]] as const,
)

/** Like `useReason`: if the date is missing, `check` shows an error and returns null. */
export function useHowAsked() {
  const today = useToday()
  const [source, setSource] = useState<EnteredStop['source']>('call')
  const [askedOn, setAskedOn] = useState('')
  const [tried, setTried] = useState(false)
  const isWritten = source === 'letter' || source === 'email'
  const isDated = parseDate(askedOn) !== null && askedOn <= today
  function check(): EnteredStop | null {
    setTried(true)
    if (!isWritten) return { source }
    return isDated ? { source, askedOn } : null
  }
  const field = (
    <>
      <Select
        label="How they asked"
        choices={choices}
        value={source}
        onChoose={value => setSource(value as EnteredStop['source'])}
      />
      {isWritten ? (
        <TextField
          label={`Date of the ${source}`}
          type="date"
          max={today}
          value={askedOn}
          error={tried && !isDated ? `Enter the date of the ${source}.` : undefined}
          onChange={event => setAskedOn(event.target.value)}
        />
      ) : null}
    </>
  )
  return { field, check }
}
