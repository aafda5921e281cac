/** Asks who wants someone removed from the do-not-call list, and since when. The answer is recorded. */
import { useState } from 'react'
import {
  type RemovalAsker,
  type RemovalRequest,
  removalAskerNames,
  removalAskers,
} from '../../../../domain/do-not-call/do-not-call.ts'
import { useToday } from '../../times.ts'
import { Select, TextField } from '../../ui/field.tsx'

/** Like `useReason`: if an answer is missing, `check` shows an error and returns null. */
export function useRemovalRequest() {
  const today = useToday()
  const [askedBy, setAskedBy] = useState<RemovalAsker | ''>('')
  const [askedOn, setAskedOn] = useState(today)
  const [tried, setTried] = useState(false)
  function check(): RemovalRequest | null {
    setTried(true)
    return askedBy === '' || askedOn === '' ? null : { askedBy, askedOn }
  }
  const field = (
    <>
      <Select
        label="Reason"
        value={askedBy}
        error={tried && askedBy === '' ? 'Choose a reason.' : undefined}
        choices={[['', 'Choose…'], ...removalAskerNames.map(name => [name, removalAskers[name]] as const)]}
        onChoose={value => setAskedBy(value as RemovalAsker | '')}
      />
      <TextField
        label={askedBy === 'mistake' ? 'When was it noticed?' : 'When did they ask?'}
        type="date"
        max={today}
        value={askedOn}
        error={tried && askedOn === '' ? 'Enter the date.' : undefined}
        onChange={event => setAskedOn(event.target.value)}
      />
    </>
  )
  return { field, check }
}
