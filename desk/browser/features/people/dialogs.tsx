/** The dialogs of the People page. A link is shown once, because the store has only its hash. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type CallLanguage, callLanguages } from '../../../../domain/calling/list.ts'
import { languageName } from '../../../../domain/languages.ts'
import { type DeskRole, deskRoles, roleAllows, roleNames } from '../../../../domain/roles.ts'
import { pluralize } from '../../../../domain/text/numbers.ts'
import { api, type People, unwrap } from '../../client.ts'
import { confirmWithPasskey, explainError } from '../../passkeys.ts'
import { queryKeys } from '../../query-keys.ts'
import { useTimes } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ConfirmDialog, Dialog, DialogActions, progressOf } from '../../ui/dialog.tsx'
import { Checkbox, Select, TextField } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'

export type Person = People['people'][number]

export interface NewLink {
  readonly name: string
  readonly link: string
  readonly expiresAt: number
  /** Their device is lost. */
  readonly isLost?: boolean
}

interface PersonDialogProps {
  readonly person: Person
  readonly onClose: () => void
}

/** Refetches the list, also after a failure: a colleague may have been faster. */
function useChange<Order, Result>(change: (order: Order) => Promise<Result>, onDone: (result: Result) => void) {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: change,
    onSuccess: onDone,
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.people }),
  })
  return {
    mutate: mutation.mutate,
    shared: progressOf(mutation, explainError),
  }
}

interface InviteDialogProps {
  /** Someone who was removed. */
  readonly again: Person | null
  readonly onLink: (link: NewLink) => void
  readonly onClose: () => void
}

export function InviteDialog({ again, onLink, onClose }: InviteDialogProps) {
  const [name, setName] = useState(again?.name ?? '')
  const [role, setRole] = useState<DeskRole>(again?.role ?? 'agent')
  const [languages, setLanguages] = useState<readonly CallLanguage[]>(
    callLanguages.filter(each => (again?.languages ?? ['en']).includes(each)),
  )
  const [tried, setTried] = useState(false)
  const invite = useChange(async () => {
    const confirmation = await confirmWithPasskey()
    return unwrap(api.people.invite.$post({ json: { name, role, languages: [...languages], confirmation } }))
  }, onLink)
  const isMissing = name.trim() === ''
  return (
    <ConfirmDialog
      title={again ? `Invite ${again.name} again` : 'Invite someone'}
      button="Create link"
      {...invite.shared}
      onConfirm={() => {
        setTried(true)
        if (!isMissing && languages.length > 0) invite.mutate(undefined)
      }}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="First and last name. Colleagues see it next to what this person does."
        autoComplete="off"
        maxLength={80}
        readOnly={again !== null}
        value={name}
        error={tried && isMissing ? 'Enter a name.' : undefined}
        onChange={event => setName(event.target.value)}
      />
      <RoleField role={role} onChoose={setRole} />
      <fieldset>
        <legend className="font-bold">Speaks on calls</legend>
        <div className="flex flex-wrap gap-x-6">
          {callLanguages.map(language => (
            <Checkbox
              key={language}
              label={languageName(language)}
              checked={languages.includes(language)}
              onChange={checked =>
                setLanguages(callLanguages.filter(each => (each === language ? checked : languages.includes(each))))
              }
            />
          ))}
        </div>
        {tried && languages.length === 0 ? (
          <p role="alert" className="font-bold text-error">
            Choose at least one language.
          </p>
        ) : null}
      </fieldset>
    </ConfirmDialog>
  )
}

function RoleField({ role, onChoose }: { readonly role: DeskRole; readonly onChoose: (role: DeskRole) => void }) {
  return (
    <Select
      label="Role"
      hint={`Can ${roleNames[role].can}.`}
      value={role}
      choices={deskRoles.map(each => [each, each.charAt(0).toUpperCase() + each.slice(1)] as const)}
      onChoose={value => onChoose(value as DeskRole)}
    />
  )
}

export function LinkDialog({ created, onClose }: { readonly created: NewLink; readonly onClose: () => void }) {
  const times = useTimes()
  return (
    <Dialog title={`Link for ${created.name}`} onClose={onClose}>
      <p>
        Send this link to {created.name}, and to nobody else: until it’s used, anyone who has it can sign in. It works
        once, until <strong>{times.short(created.expiresAt)}</strong>.
        {created.isLost
          ? ' Don’t send it to an email or phone number that can be read on the lost device: give it to them in person, or by another way.'
          : ''}
      </p>
      <p className="mt-3 flex items-center gap-2 rounded-lg border border-line bg-mist p-3">
        <code className="min-w-0 flex-1 break-all font-mono text-small select-all">{created.link}</code>
        <CopyButton text={created.link} what="the link" />
      </p>
      <p className="mt-3 text-small text-ink-soft">The link isn’t shown again. If it gets lost, create a new one.</p>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  )
}

export function NewLinkDialog({
  person: { name, status },
  onLink,
  onClose,
}: PersonDialogProps & Pick<InviteDialogProps, 'onLink'>) {
  const create = useChange(async () => {
    const confirmation = await confirmWithPasskey()
    return unwrap(api.people.link.$post({ json: { name, confirmation } }))
  }, onLink)
  return (
    <ConfirmDialog
      title={`New link for ${name}`}
      button="Create link"
      {...create.shared}
      onConfirm={() => create.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        {status === 'active'
          ? `For a lost passkey or a new device. When ${name} uses the link, it replaces all their passkeys and signs them out everywhere else. Until then, the old ones work: for a lost or stolen device, choose Lost device instead.`
          : 'The previous link stops working.'}
      </p>
    </ConfirmDialog>
  )
}

export function LostDeviceDialog({
  person: { name },
  onLink,
  onClose,
}: PersonDialogProps & Pick<InviteDialogProps, 'onLink'>) {
  const block = useChange(
    async () => {
      const confirmation = await confirmWithPasskey()
      return unwrap(api.people['lost-device'].$post({ json: { name, confirmation } }))
    },
    link => onLink({ ...link, isLost: true }),
  )
  return (
    <ConfirmDialog
      title={`Block ${name}’s lost device`}
      button="Block and create link"
      kind="danger"
      {...block.shared}
      onConfirm={() => block.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        Signs {name} out everywhere and deletes all their passkeys at once, so nobody can sign in with the lost device.
        You get a new link for {name}, who creates a passkey on another device with it.
      </p>
    </ConfirmDialog>
  )
}

/** If they no longer call. */
export const missedLanguages = (onlySpeakerOf: Person['onlySpeakerOf']): string =>
  onlySpeakerOf.length === 0
    ? ''
    : ` Nobody else who calls speaks ${new Intl.ListFormat('en-US').format(onlySpeakerOf.map(languageName))}.`

export function RoleDialog({ person: { name, role: seen, isYou, onlySpeakerOf }, onClose }: PersonDialogProps) {
  const toast = useToast()
  const client = useQueryClient()
  const [role, setRole] = useState<DeskRole>(seen)
  const change = useChange(
    async () => {
      const confirmation = await confirmWithPasskey()
      return unwrap(api.people.role.$post({ json: { name, role, seen, confirmation } }))
    },
    () => {
      onClose()
      toast({ text: `${name} is now ${roleNames[role].a}.` })
      if (isYou) client.invalidateQueries({ queryKey: queryKeys.session })
    },
  )
  return (
    <ConfirmDialog
      title={`Change ${name}’s role`}
      button="Change role"
      {...change.shared}
      onConfirm={() => (role === seen ? onClose() : change.mutate(undefined))}
      onClose={onClose}
    >
      <RoleField role={role} onChoose={setRole} />
      <p>
        Takes effect immediately.
        {isYou && role !== 'editor' ? ' You won’t be able to open this page anymore.' : ''}
        {roleAllows(role, 'agent') ? '' : missedLanguages(onlySpeakerOf)}
      </p>
    </ConfirmDialog>
  )
}

export function SignOutDialog({ person: { name, isYou }, onClose }: PersonDialogProps) {
  return (
    <EndAccess
      title={`Sign ${name} out everywhere`}
      button="Sign out"
      done={`${name} was signed out.`}
      change={() => unwrap(api.people['sign-out'].$post({ json: { name } }))}
      onClose={onClose}
    >
      For a device left unattended. {name} can sign in again with their passkey (the fingerprint, face, or PIN they use
      here). {isYou ? '' : 'If a device is lost or stolen, choose Lost device instead.'}
    </EndAccess>
  )
}

export function RemoveDialog({ person: { name, isYou, callbacks, onlySpeakerOf }, onClose }: PersonDialogProps) {
  return (
    <EndAccess
      title={`Remove ${name}`}
      button="Remove"
      done={`${name} was removed.`}
      change={() => unwrap(api.people.remove.$post({ json: { name } }))}
      onClose={onClose}
    >
      {isYou ? 'You’re removing yourself. ' : ''}
      Ends all sessions at once and deletes the passkeys. The name stays in the history of leads.
      {callbacks === 0 ? '' : ` ${pluralize(callbacks, 'callback')} that ${name} promised can be made by anyone.`}
      {missedLanguages(onlySpeakerOf)}
    </EndAccess>
  )
}

interface EndAccessProps {
  readonly title: string
  readonly button: string
  readonly done: string
  readonly change: () => Promise<unknown>
  readonly onClose: () => void
  readonly children: ReactNode
}

function EndAccess({ title, button, done, change, onClose, children }: EndAccessProps) {
  const toast = useToast()
  const end = useChange(change, () => {
    onClose()
    toast({ text: done })
  })
  return (
    <ConfirmDialog
      title={title}
      button={button}
      kind="danger"
      {...end.shared}
      onConfirm={() => end.mutate(undefined)}
      onClose={onClose}
    >
      <p>{children}</p>
    </ConfirmDialog>
  )
}
