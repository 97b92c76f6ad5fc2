import type { Role } from '../projects/roles.ts'

interface ComponentRights {
  readonly effective_permissions: Role | null
  readonly released: boolean
}

const ORDER: readonly Role[] = ['viewer', 'author', 'reviewer', 'admin']

/** Whether the person has at least this role in a component. */
export function hasRole({ effective_permissions: role }: ComponentRights, least: Role): boolean {
  return role !== null && ORDER.indexOf(role) >= ORDER.indexOf(least)
}

/** Why the person may not change a component; null if they may. */
export function reasonAgainst(
  component: ComponentRights,
  { least, isSiteAdmin }: { readonly least: Role; readonly isSiteAdmin: boolean },
): string | null {
  if (component.released && !isSiteAdmin)
    return 'It has been released, and stays as it is. Make a copy as its next release.'
  if (hasRole(component, least)) return null
  const roleName = least === 'admin' ? 'an administrator' : `an ${least}`
  return `One has to be ${roleName} of the component for that.`
}
