/** Your account: name and role, passkeys, and settings for this browser. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type CallLanguage, callLanguages } from '../../../../domain/calling/list.ts'
import { languageName } from '../../../../domain/languages.ts'
import { roleNames } from '../../../../domain/roles.ts'
import { api, messageOf, type Passkeys as PasskeyList, unwrap } from '../../client.ts'
import { deleteDrafts } from '../../drafts.ts'
import { readSetting, saveSetting } from '../../local-storage.ts'
import { addPasskey, canUsePasskeys, explainError, removePasskey } from '../../passkeys.ts'
import { queryKeys } from '../../query-keys.ts'
import { navigate } from '../../router.tsx'
import { useSession, useSetSession } from '../../session.ts'
import { Page } from '../../shell/page.tsx'
import { KeyboardHelp } from '../../shell/shortcuts.tsx'
import { useTimes } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Fact, Facts } from '../../ui/card.tsx'
import { ConfirmDialog, progressOf } from '../../ui/dialog.tsx'
import { Checkbox, Select } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded, Problem } from '../../ui/placeholders.tsx'
import { useToast } from '../../ui/toast.tsx'

type Passkey = PasskeyList['passkeys'][number]

export function Account() {
  const session = useSession()
  const times = useTimes()
  const [help, setHelp] = useState(false)
  return (
    <Page title="Your account">
      <div className="grid max-w-3xl gap-5">
        <Card title="Account" aside={<SignOut />}>
          <Facts>
            <Fact name="Name">{session.name}</Fact>
            <Fact name="Role">
              <span className="capitalize">{session.role}</span>: can {roleNames[session.role].can}
            </Fact>
            <Fact name="Signed in until">{times.full(session.endsAt)}</Fact>
          </Facts>
        </Card>
        {session.callList ? <Languages /> : null}
        <Passkeys />
        <Card title="This browser">
          <div className="flex flex-wrap items-end gap-4">
            <Theme />
            <Button icon="keyboard" onClick={() => setHelp(true)}>
              Keyboard shortcuts
            </Button>
          </div>
        </Card>
      </div>
      {help ? <KeyboardHelp onClose={() => setHelp(false)} /> : null}
    </Page>
  )
}

/** Call next prefers people you can talk to. */
function Languages() {
  const session = useSession()
  const client = useQueryClient()
  const toast = useToast()
  const save = useMutation({
    mutationFn: (languages: CallLanguage[]) => unwrap(api.session.languages.$post({ json: { languages } })),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.session }),
    onError: error => {
      setShown(session.languages)
      toast({ text: messageOf(error), tone: 'bad' })
    },
  })
  // Shows a choice at once, before the session has it.
  const [shown, setShown] = useState<readonly string[]>(session.languages)
  return (
    <Card title="I speak" note="Call next gives you people who speak these languages first.">
      <div className="flex flex-wrap gap-x-6">
        {callLanguages.map(language => (
          <Checkbox
            key={language}
            label={languageName(language)}
            checked={shown.includes(language)}
            onChange={checked => {
              const spoken = callLanguages.filter(each => (each === language ? checked : shown.includes(each)))
              if (spoken.length > 0) {
                setShown(spoken)
                save.mutate(spoken)
              } else toast({ text: 'Choose at least one language.', tone: 'bad' })
            }}
          />
        ))}
      </div>
    </Card>
  )
}

function SignOut() {
  const setSession = useSetSession()
  const toast = useToast()
  const signOut = useMutation({
    mutationFn: () => unwrap(api.session['sign-out'].$post()),
    onSuccess: () => {
      deleteDrafts()
      setSession(null)
      navigate('/')
    },
    onError: () => toast({ text: 'Couldn’t sign you out. The desk isn’t responding. Try again.', tone: 'bad' }),
  })
  return (
    <Button icon="sign-out" busy={signOut.isPending} onClick={() => signOut.mutate()}>
      Sign out
    </Button>
  )
}

const THEME_KEY = 'desk-theme'

/** public/theme.js applies the theme before the first paint. */
function Theme() {
  const [theme, setTheme] = useState(() => readSetting(THEME_KEY) ?? 'system')
  return (
    <Select
      label="Theme"
      value={theme}
      choices={[
        ['system', 'System'],
        ['light', 'Light'],
        ['dark', 'Dark'],
      ]}
      onChoose={chosen => {
        document.documentElement.dataset['theme'] = chosen
        saveSetting(THEME_KEY, chosen)
        setTheme(chosen)
      }}
    />
  )
}

export function Passkeys() {
  const client = useQueryClient()
  const toast = useToast()
  const times = useTimes()
  const { demo } = useSession()
  const canAdd = canUsePasskeys() && !demo
  const [removing, setRemoving] = useState<Passkey | null>(null)
  const list = useQuery({
    queryKey: queryKeys.passkeys,
    queryFn: ({ signal }) => unwrap(api.session.passkeys.$get({}, { init: { signal } })),
  })
  const show = (passkeys: PasskeyList) => client.setQueryData(queryKeys.passkeys, passkeys)
  const add = useMutation({
    mutationFn: addPasskey,
    onSuccess: passkeys => {
      show(passkeys)
      toast({ text: 'Passkey added.' })
    },
  })
  const remove = useMutation({
    mutationFn: removePasskey,
    onSuccess: passkeys => {
      show(passkeys)
      setRemoving(null)
      toast({ text: 'Passkey removed.' })
    },
  })
  return (
    <Card
      title="Passkeys"
      note={canAdd ? 'Add a second passkey so you aren’t locked out if you lose your device.' : undefined}
    >
      <Loaded query={list} what="your passkeys">
        {({ passkeys }) => (
          <ul className="flex flex-col">
            {passkeys.length === 0 ? <li>{demo ? 'Not needed in the demo.' : 'No passkeys yet.'}</li> : null}
            {passkeys.map(passkey => (
              <li key={passkey.id} className="flex items-center gap-3 border-t border-line py-2 first:border-0">
                <Icon name="key" className="text-ink-soft" />
                <p className="min-w-0 flex-1">
                  {passkey.synced ? 'Synced across your devices' : 'On one device only'}
                  <span className="block text-small text-ink-soft">
                    Added {times.short(passkey.addedAt)},{' '}
                    {passkey.lastUsedAt === null ? 'never used' : `last used ${times.short(passkey.lastUsedAt)}`}
                  </span>
                </p>
                {passkeys.length === 1 ? null : (
                  <button
                    type="button"
                    aria-label={`Remove the passkey added ${times.short(passkey.addedAt)}`}
                    className="grid size-11 place-items-center rounded-lg hover:bg-mist"
                    onClick={() => {
                      remove.reset()
                      setRemoving(passkey)
                    }}
                  >
                    <Icon name="trash" />
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {add.isError ? (
        <div className="mt-4">
          <Problem title="Couldn’t add the passkey">{explainError(add.error)}</Problem>
        </div>
      ) : null}
      {canAdd ? (
        <Button className="mt-4" busy={add.isPending} icon="key" onClick={() => add.mutate()}>
          {add.isPending ? 'Waiting for your device…' : 'Add a passkey'}
        </Button>
      ) : null}
      {removing ? (
        <ConfirmDialog
          title="Remove passkey"
          button="Remove"
          kind="danger"
          {...progressOf(remove, explainError)}
          onConfirm={() => remove.mutate(removing.id)}
          onClose={() => setRemoving(null)}
        >
          <p>
            You won’t be able to sign in with the passkey added {times.short(removing.addedAt)}. This can’t be undone.
            Your device asks for a passkey first.
          </p>
        </ConfirmDialog>
      ) : null}
    </Card>
  )
}
