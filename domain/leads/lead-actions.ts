/**
 * What people can do with a lead, one entry per action. The desk's buttons, dialogs, bulk jobs, and shortcuts derive from these
 * entries. The implementations are in `desk/server/leads/actions.ts`.
 */

import { type DeskRole, roleAllows } from '../roles.ts'
import type { DeliveryState, LeadState } from './lead-states.ts'

export interface LeadStatus {
  readonly state: LeadState
  readonly delivery: { readonly state: DeliveryState; readonly nextAt: number | null } | null
  /** `others`: emails of other leads with the number. On the list, they stop the number, too. */
  readonly doNotCall: { readonly email: boolean; readonly phone: boolean; readonly others?: readonly string[] }
  /** Missing: neither reached on a call nor a client. `on`: the day they became one. */
  readonly client?: { readonly wasReached: boolean; readonly on: string | null }
  /** On hold, but the person asked not to be called after submitting it, so there's nothing left to review. */
  readonly isClosed?: boolean
}

/** When an approved or resent lead is sent. `never`: there's no webhook, so leads are called from here. */
export type Sending = 'now' | 'when resumed' | 'never'

interface Confirmation {
  readonly title: string
  readonly button: (sending: Sending) => string
  readonly text: (lead: LeadStatus, sending: Sending) => string
  /** Sends the lead to the call team, so it never applies to people on the do-not-call list. */
  readonly sends?: true
  /** The request field that the user fills in: a reason, the last name, who asked for a removal and when, how someone asked, or a day. */
  readonly asks?: 'reason' | 'confirmation' | 'request' | 'asked' | 'on'
  /** Enter confirms: forgetting this action is worse than doing it by mistake. */
  readonly enterConfirms?: true
}

interface BulkAction {
  readonly title: string
  readonly effect: (leads: string, sending: Sending) => string
  readonly skipped: string
  readonly button: (count: string) => string
  readonly done: string
  /** Label for the checkbox that includes leads that were already delivered. */
  readonly again?: string
}

interface LeadAction {
  readonly label: string
  /** Who can perform it, along with every role that includes this one. */
  readonly role: DeskRole
  /** Keyboard shortcut on the lead's page. */
  readonly key?: string
  readonly icon: 'check' | 'ban' | 'send' | 'phone-off' | 'phone' | 'eraser' | 'note'
  readonly applies: (lead: LeadStatus, now: number) => boolean
  /** Why it doesn't apply, and what to do. */
  readonly unavailable?: (lead: LeadStatus) => string
  /** Whether to highlight it as this lead's next step. */
  readonly urgent?: (lead: LeadStatus) => boolean
  /** Can't be undone; shown in red. */
  readonly destructive?: true
  /** Without one, the action runs immediately. */
  readonly confirm?: Confirmation
  /** Extra request fields, so the server does exactly what the user saw. */
  readonly details?: (lead: LeadStatus) => object
  readonly done: (sending: Sending) => string
  readonly undo?: LeadActionName
  readonly bulk?: BulkAction
}

/** A delivery due within this time counts as sent. */
export const ABOUT_TO_BE_SENT_MS = 60_000

const isOpen = ({ state }: LeadStatus) => state !== 'erased'
const isOnList = ({ doNotCall: { email, phone, others = [] } }: LeadStatus) => email || phone || others.length > 0
const ON_LIST = 'This person is on the do-not-call list. To send this lead, remove them from the list first.'
/** Which of the person's phone number and email are (or aren't) on the do-not-call list. */
const contactsWhere =
  ({ onList }: { readonly onList: boolean }) =>
  ({ doNotCall }: LeadStatus) => ({
    contacts: (['phone', 'email'] as const).filter(contact => doNotCall[contact] === onList),
  })

const entries = {
  approve: {
    label: 'Approve',
    role: 'editor',
    key: 'a',
    icon: 'check',
    applies: lead => (lead.state === 'held' || lead.state === 'rejected') && !isOnList(lead),
    unavailable: lead => (isOnList(lead) ? ON_LIST : 'Only a lead that is on hold or rejected can be approved.'),
    urgent: ({ state }) => state === 'held',
    confirm: {
      title: 'Approve this lead',
      button: sending => (sending === 'never' ? 'Approve' : 'Approve and send'),
      sends: true,
      text: (_, sending) =>
        ({
          now: 'It will be sent to your CRM right away. This can’t be undone.',
          'when resumed': 'Deliveries are paused. It will be sent to your CRM when they resume.',
          never: 'Your team can call this person. This can’t be undone.',
        })[sending],
    },
    done: sending =>
      ({
        now: 'Approved. It’s being sent now.',
        'when resumed': 'Approved. It will be sent when deliveries resume.',
        never: 'Approved.',
      })[sending],
    bulk: {
      title: 'Approve leads',
      effect: (leads, sending) =>
        sending === 'never'
          ? `${leads} will be approved, so your team can call them. This can’t be undone.`
          : `${leads} will be sent to your CRM. This can’t be undone.`,
      skipped:
        'Only leads that are on hold can be approved, and rejected leads if you select them. Leads of people on the do-not-call list are never sent.',
      button: count => `Approve ${count}`,
      done: 'approved',
    },
  },
  reject: {
    label: 'Reject',
    role: 'editor',
    key: 'r',
    icon: 'ban',
    applies: ({ state, isClosed = false }) => state === 'held' && !isClosed,
    unavailable: () => 'Only a lead on hold can be rejected.',
    confirm: {
      title: 'Reject this lead',
      button: () => 'Reject',
      asks: 'reason',
      text: () => 'It stays on file but won’t be sent or called unless you approve it later.',
    },
    done: () => 'Rejected. You can still approve it.',
    bulk: {
      title: 'Reject leads',
      effect: leads => `${leads} will stay on file but won’t be sent or called unless you approve them later.`,
      skipped: 'Only leads that are on hold can be rejected.',
      button: count => `Reject ${count}`,
      done: 'rejected',
    },
  },
  resend: {
    label: 'Resend',
    role: 'editor',
    key: 's',
    icon: 'send',
    applies: (lead, now) => {
      const { state, delivery } = lead
      if (delivery === null || isOnList(lead)) return false
      return (
        (state === 'accepted' || state === 'repeat') &&
        (delivery.state !== 'pending' || (delivery.nextAt ?? 0) > now + ABOUT_TO_BE_SENT_MS)
      )
    },
    unavailable: lead => {
      const { state, delivery } = lead
      if (isOnList(lead)) return ON_LIST
      return state === 'erased'
        ? 'This person’s data was erased, so this lead can’t be changed.'
        : delivery?.state === 'pending'
          ? 'This lead will be sent within a minute.'
          : state === 'held' || state === 'rejected'
            ? 'Approve this lead first. Until then, it can’t be sent.'
            : 'This lead is a repeat of an earlier one, so it won’t be sent.'
    },
    urgent: ({ delivery }) => delivery?.state === 'dead',
    // The server resends a delivered lead only if the user knew it had been delivered.
    details: ({ delivery }) => ({ again: delivery?.state === 'delivered' }),
    confirm: {
      title: 'Resend this lead',
      button: () => 'Resend',
      sends: true,
      text: ({ delivery }, sending) =>
        `${delivery?.state === 'delivered' ? 'Already delivered. Confirm to send it again.' : 'It will be sent to your CRM again.'}${
          sending === 'when resumed' ? ' Deliveries are paused: it will be sent when they resume.' : ''
        }`,
    },
    done: sending => (sending === 'when resumed' ? 'It will be sent when deliveries resume.' : 'It’s being sent now.'),
    bulk: {
      title: 'Resend leads',
      effect: leads => `${leads} will be sent to your CRM again.`,
      skipped:
        'Leads that are on hold, rejected, or about to be sent are skipped. Leads of people on the do-not-call list are never sent.',
      button: count => `Resend ${count}`,
      done: 'queued to be sent again',
      again: 'Include leads that were already delivered',
    },
  },
  client: {
    label: 'Became a client',
    role: 'agent',
    icon: 'check',
    applies: ({ state, client }) => state === 'accepted' && client?.wasReached === true && client.on === null,
    unavailable: ({ client }) =>
      typeof client?.on === 'string'
        ? 'This person is already marked as a client.'
        : 'Only someone who was reached on a call can become a client.',
    confirm: {
      title: 'Became a client',
      button: () => 'Save',
      asks: 'on',
      text: () =>
        'They signed up with your organization. It’s on their page, and your organization’s figures count it.',
    },
    done: () => 'Marked as a client.',
    undo: 'client undone',
  },
  'client undone': {
    label: 'Not a client',
    role: 'agent',
    icon: 'ban',
    applies: lead => isOpen(lead) && typeof lead.client?.on === 'string',
    unavailable: () => 'This person isn’t marked as a client.',
    done: () => 'No longer marked as a client.',
  },
  'do not call': {
    label: 'Do not call',
    role: 'agent',
    key: 'd',
    icon: 'phone-off',
    applies: lead => isOpen(lead) && contactsWhere({ onList: false })(lead).contacts.length > 0,
    details: contactsWhere({ onList: false }),
    confirm: {
      title: 'Add to the do-not-call list',
      button: () => 'Add to list',
      asks: 'asked',
      text: () =>
        'Adds this person’s phone number and email to the do-not-call list. Nobody calls this number again, and leads with it aren’t sent.',
      enterConfirms: true,
    },
    done: () => 'Added to the do-not-call list.',
    undo: 'undo do not call',
  },
  'undo do not call': {
    label: 'Undo',
    role: 'agent',
    icon: 'phone',
    // Offered only right after adding the entry.
    applies: () => false,
    done: () => 'Undone.',
  },
  'allow calls': {
    label: 'Remove from do-not-call list',
    role: 'editor',
    icon: 'phone',
    applies: lead => isOpen(lead) && isOnList(lead),
    details: lead => ({ ...contactsWhere({ onList: true })(lead), others: lead.doNotCall.others ?? [] }),
    confirm: {
      title: 'Remove from the do-not-call list',
      button: () => 'Remove from list',
      asks: 'request',
      text: () => 'Colleagues can call this person again. Calling picks up where it left off.',
    },
    done: () => 'Removed from the do-not-call list.',
    undo: 'undo allow calls',
  },
  'undo allow calls': {
    label: 'Undo',
    role: 'editor',
    icon: 'phone-off',
    // Offered only right after removing the entries.
    applies: () => false,
    done: () => 'Undone.',
  },
  erase: {
    label: 'Erase',
    role: 'editor',
    icon: 'eraser',
    applies: isOpen,
    destructive: true,
    confirm: {
      title: 'Erase this person’s data',
      button: () => 'Erase permanently',
      asks: 'confirmation',
      text: () =>
        'Deletes the name, date of birth, email, phone, IP address, browser details, and notes. The contact record is kept, minus personal data. This can’t be undone.',
    },
    done: () => 'Erased. The contact record is kept, minus personal data.',
  },
  'add note': {
    label: 'Add note',
    role: 'agent',
    key: 'n',
    icon: 'note',
    applies: isOpen,
    done: () => 'Note saved.',
  },
  'remove note': {
    label: 'Delete note',
    role: 'agent',
    icon: 'note',
    applies: isOpen,
    done: () => 'Note deleted.',
  },
  'restore note': {
    label: 'Restore note',
    role: 'agent',
    icon: 'note',
    applies: isOpen,
    done: () => 'Note restored.',
  },
} as const satisfies Readonly<Record<string, Omit<LeadAction, 'undo'> & { readonly undo?: string }>>

export type LeadActionName = keyof typeof entries
export type BulkActionName = {
  [Name in LeadActionName]: (typeof entries)[Name] extends { bulk: object } ? Name : never
}[LeadActionName]

export const leadActions: Readonly<Record<LeadActionName, LeadAction>> = entries
export const leadActionNames = Object.keys(entries) as readonly LeadActionName[]
export const bulkActionNames = leadActionNames.filter(name => leadActions[name].bulk) as readonly BulkActionName[]

export function bulkAction(name: BulkActionName): LeadAction & { readonly bulk: BulkAction } {
  return entries[name]
}

export const canPerform = (action: LeadActionName, role: DeskRole) => roleAllows(role, leadActions[action].role)

/** Only its author or an editor can change a note. */
export const canChangeNote = (
  note: { readonly by: string },
  person: { readonly name: string; readonly role: DeskRole },
) => note.by === person.name || roleAllows(person.role, 'editor')

export const actionsFor = (lead: LeadStatus, now: number, role: DeskRole): readonly LeadActionName[] =>
  leadActionNames.filter(name => canPerform(name, role) && leadActions[name].applies(lead, now))
