/** Says whether a saved contact record is genuine. The desk's own server reads it, and keeps nothing of it. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../client.ts'
import { Page } from '../../shell/page.tsx'
import { Callout, type CalloutProps, Failed } from '../../ui/placeholders.tsx'

/** With its JSON, under what one request may have. No record is that large. */
const MAX_BYTES = 400_000

const verdicts = {
  genuine: ['calm', 'check', 'Genuine', 'Your desk created it, and nothing in it was changed since.'],
  altered: [
    'bad',
    'alert',
    'Altered',
    'It was changed after it was created, or your desk didn’t create it. A browser’s “Save page” changes pages, too: use Download record.',
  ],
  'other key': [
    'waiting',
    'alert',
    'Another installation’s key',
    'It was signed elsewhere, or before this installation had its key. Check it where it was created.',
  ],
  unsigned: [
    'waiting',
    'alert',
    'Not signed',
    'It’s from 0.5.3 or earlier. Your IT person can compare it with the store: leads verify FILE.',
  ],
  'no record': [
    'waiting',
    'search-x',
    'Not a contact record',
    'Choose the file that Download record saved, complete and unchanged.',
  ],
} as const satisfies Readonly<Record<string, readonly [CalloutProps['tone'], CalloutProps['icon'], string, string]>>

export function CheckRecord() {
  const [name, setName] = useState('')
  const [isOver, setOver] = useState(false)
  const check = useMutation({
    mutationFn: async (file: File) => {
      setName(file.name)
      const html = file.size > MAX_BYTES ? '' : (await file.text()).replaceAll('\0', '\uFFFD')
      return unwrap(api.records.check.$post({ json: { html } }))
    },
  })
  const [tone, icon, title, text] = verdicts[check.data?.kind ?? 'no record']
  const choose = (files: FileList | null) => {
    if (files?.[0]) check.mutate(files[0])
  }
  return (
    <Page title="Check a record">
      <div className="flex max-w-3xl flex-col gap-4">
        <label
          className={`flex flex-col gap-3 rounded-2xl border-2 border-dashed p-6 ${isOver ? 'border-action bg-sage' : 'border-edge bg-card'}`}
          onDragOver={event => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={event => {
            event.preventDefault()
            setOver(false)
            choose(event.dataTransfer.files)
          }}
        >
          <span>
            <strong>Drop a contact record here, or choose the file.</strong> Only this desk reads it, and it isn’t
            stored.
          </span>
          <input
            type="file"
            accept=".html,.htm,text/html"
            className="file:mr-3 file:min-h-11 file:rounded-lg file:border file:border-edge file:bg-card file:px-4 file:font-bold"
            onChange={event => choose(event.target.files)}
          />
        </label>
        <div role="status">
          {check.data ? (
            <Callout tone={tone} icon={icon} title={`${title}: ${name}`}>
              <p>{text}</p>
              {check.data.keyId ? <p className="text-small">Signed with key {check.data.keyId}.</p> : null}
              {check.data.kind === 'genuine' && check.data.isOld ? (
                <p>It’s from 0.6.0, which signed the data, not the page around it: leads verify FILE lists the data.</p>
              ) : null}
            </Callout>
          ) : null}
        </div>
        <Failed request={check} />
      </div>
    </Page>
  )
}
