/** The desk's roles. Each one includes the roles before it. */

export const deskRoles = ['viewer', 'caller', 'editor'] as const
export type DeskRole = (typeof deskRoles)[number]

/** What a role lets someone do, with its article: "invited as a caller". */
export const roleNames: Readonly<Record<DeskRole, { readonly a: string; readonly can: string }>> = {
  viewer: { a: 'a viewer', can: 'view leads, but not change them' },
  caller: { a: 'a caller', can: 'view and call leads, take notes, and record outcomes and do-not-call requests' },
  editor: { a: 'an editor', can: 'view, call, change, export, and erase leads, and manage who can sign in' },
}

export const roleAllows = (role: DeskRole, needed: DeskRole): boolean =>
  deskRoles.indexOf(role) >= deskRoles.indexOf(needed)
