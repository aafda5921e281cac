/** The People page, for editors: who can sign in to the desk, inviting, changing roles, and removing. */
import { Hono } from 'hono'
import * as v from 'valibot'
import { deskRoles, roleAllows } from '../../domain/roles.ts'
import { oneLine } from '../../domain/text/text.ts'
import { createToken } from '../../server/store/operations/desk/accounts.ts'
import { INVITATION_MS, isSameName } from '../../server/store/operations/desk/desk-people.ts'
import type { DeskPersonRecord } from '../../server/store/views/desk-people.ts'
import { ApiError, roleRequired } from './api-error.ts'
import { createCeremonies } from './auth/passkeys.ts'
import { confirmation, spokenLanguages } from './auth/routes.ts'
import { jsonBody } from './request-body.ts'
import type { DeskRequest, DeskServices } from './services.ts'

const MAX_CHANGES = 100

const YOUR_DEVICE =
  'To block a device of your own, remove its passkey under Your account. Then choose Sign out everywhere here.'

/** As in the `invite` command. */
const name = v.pipe(v.string(), v.trim(), v.regex(/^\P{Cc}{1,80}$/u))
const newName = v.pipe(name, v.transform(oneLine), v.nonEmpty())
const role = v.picklist(deskRoles)

export function createPeopleRoutes(services: DeskServices) {
  const { store, reader, origin } = services
  const { confirm } = createCeremonies(services)
  const find = async (wanted: string) => (await store.deskPeople()).find(person => isSameName(person.name, wanted))

  /** A fragment is never sent to a server, so neither logs nor link previews see the token. */
  const linkOf = (token: string) => `${origin}/invitation#${token}`

  async function createLink(order: Omit<Parameters<typeof store.invite>[0], 'tokenHash' | 'ttlMs'>) {
    const { token, hash } = createToken()
    const { person, expiresAt } = await store.invite({ ...order, tokenHash: hash, ttlMs: INVITATION_MS })
    return { name: person.name, link: linkOf(token), expiresAt }
  }

  return new Hono<DeskRequest>()
    .get('/', async context => {
      const people = await reader.deskPeople()
      return context.json({
        people: people.map(person => ({
          name: person.name,
          role: person.role,
          languages: person.languages,
          onlySpeakerOf: onlySpeakerOf(person, people),
          /** How many people on the call list they promised one. */
          callbacks: person.callbacks,
          status: statusOf(person),
          /** When the pending link expires. */
          linkExpiresAt: person.invitationEndsAt,
          isSignedIn: person.sessions > 0,
          lastActiveAt: person.lastActiveAt,
          isYou: person.id === context.get('person').id,
        })),
        changes: await reader.deskChanges({ limit: MAX_CHANGES }),
      })
    })
    .post(
      '/invite',
      jsonBody(v.object({ name: newName, role, languages: spokenLanguages, confirmation })),
      async context => {
        const { confirmation: answer, ...order } = context.req.valid('json')
        const existing = await find(order.name)
        if (existing && statusOf(existing) === 'active') {
          throw new ApiError(
            'conflict',
            `${existing.name} can already sign in. If they lost their passkey, create a new link for them in the list.`,
          )
        }
        await confirm(context.get('person'), answer)
        return context.json(await createLink({ ...order, by: context.get('person').name }))
      },
    )
    .post('/link', jsonBody(v.object({ name, confirmation })), async context => {
      const { confirmation: answer, name: wanted } = context.req.valid('json')
      const person = await find(wanted)
      if (!person || statusOf(person) === 'removed') throw goneAlready()
      await confirm(context.get('person'), answer)
      return context.json(await createLink({ name: person.name, role: null, by: context.get('person').name }))
    })
    .post('/role', jsonBody(v.object({ name, role, seen: role, confirmation })), async context => {
      const { id: editorId, name: by } = context.get('person')
      const { confirmation: answer, ...order } = context.req.valid('json')
      await confirm(context.get('person'), answer)
      const changed = await store.changeRole({ ...order, by, editorId })
      if (changed.kind === 'changed since') {
        throw new ApiError('conflict', `A colleague changed this role to ${changed.role} a moment ago. Check it again.`)
      }
      if (changed.kind !== 'changed') throw refusalOf(changed.kind)
      return context.json({})
    })
    .post('/lost-device', jsonBody(v.object({ name, confirmation })), async context => {
      const { id: editorId, name: by } = context.get('person')
      const { confirmation: answer, name: wanted } = context.req.valid('json')
      // The page with the new link would be gone.
      if (isSameName(wanted, by)) throw new ApiError('conflict', YOUR_DEVICE)
      await confirm(context.get('person'), answer)
      const { token, hash } = createToken()
      const blocked = await store.blockDevices({ name: wanted, by, editorId, tokenHash: hash, ttlMs: INVITATION_MS })
      if (blocked.kind !== 'blocked') throw refusalOf(blocked.kind)
      return context.json({ name: blocked.person.name, link: linkOf(token), expiresAt: blocked.expiresAt })
    })
    .post('/sign-out', jsonBody(v.object({ name })), async context => {
      const { id: editorId, name: by } = context.get('person')
      const ended = await store.signOut({ ...context.req.valid('json'), by, editorId })
      if (ended.kind !== 'signed out') throw refusalOf(ended.kind)
      return context.json({})
    })
    .post('/remove', jsonBody(v.object({ name })), async context => {
      const { id: editorId, name: by } = context.get('person')
      const removed = await store.removePerson({ ...context.req.valid('json'), by, editorId })
      if (removed.kind !== 'removed') throw refusalOf(removed.kind)
      return context.json({})
    })
}

const canCall = (person: DeskPersonRecord) => statusOf(person) === 'active' && roleAllows(person.role, 'agent')

/** The languages in which nobody else could call. */
function onlySpeakerOf(person: DeskPersonRecord, people: readonly DeskPersonRecord[]) {
  if (!canCall(person)) return []
  const others = new Set(
    people
      .filter(({ id }) => id !== person.id)
      .filter(canCall)
      .flatMap(({ languages }) => languages),
  )
  return person.languages.filter(language => !others.has(language))
}

function statusOf({ dismissedAt, invitationEndsAt, passkeys }: DeskPersonRecord) {
  if (passkeys > 0) return 'active'
  if (invitationEndsAt !== null) return 'invited'
  return dismissedAt === null ? 'link expired' : 'removed'
}

function refusalOf(kind: 'unknown' | 'not an editor' | 'last editor'): ApiError {
  if (kind === 'not an editor') return roleRequired('editor')
  if (kind === 'unknown') return goneAlready()
  return new ApiError(
    'conflict',
    'This is the last editor. Make someone else an editor first, and let them sign in once.',
  )
}

function goneAlready(): ApiError {
  return new ApiError('conflict', 'This person no longer has access. Reload the page.')
}
