/** The desk's roles. Each one includes the roles before it. */

export const deskRoles = ['viewer', 'agent', 'editor'] as const
export type DeskRole = (typeof deskRoles)[number]

/** What a role lets someone do, with its article: "invited as an agent". */
export const roleNames: Readonly<Record<DeskRole, { readonly a: string; readonly can: string }>> = {
  viewer: { a: 'a viewer', can: 'view leads, but not change them' },
  agent: { a: 'an agent', can: 'view and call leads, take notes, and record outcomes and do-not-call requests' },
  editor: { a: 'an editor', can: 'view, call, change, export, and erase leads, and manage who can sign in' },
}

export const roleAllows = (role: DeskRole, needed: DeskRole): boolean =>
  deskRoles.indexOf(role) >= deskRoles.indexOf(needed)
