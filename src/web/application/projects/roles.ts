/** In ascending order: each role includes the rights of those before it. */
export const ROLES = ['viewer', 'author', 'reviewer', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** The name of a role on pages; `none` without a role. */
export function roleInWords(role: string | null): string {
  if (role === null) return 'none'
  return role === 'admin' ? 'administrator' : role
}

export const ROLE_SAYS: Readonly<Record<Role, string>> = {
  viewer: 'reads everything, comments',
  author: 'writes rules, decides on comments, releases',
  reviewer: 'approves rules and locks sections',
  admin: 'adds components and members, locks, deletes',
}

/** Why a membership cannot be changed; null if it can. */
export function reasonToKeep(
  membership: { readonly id: number; readonly role: Role },
  all: readonly { readonly id: number; readonly role: Role }[],
): string | null {
  const isOnlyAdmin = membership.role === 'admin' && all.filter(({ role }) => role === 'admin').length === 1
  return isOnlyAdmin ? 'A project keeps one administrator: make somebody else one first.' : null
}
