/** The person who sends a request, and how they are signed in. */
export interface Caller {
  readonly id: number
  readonly name: string
  readonly email: string
  /** Site administrator. */
  readonly admin: boolean
  /** The kind of external provider that the person signs in with; null for none. */
  readonly provider: 'oidc' | 'ldap' | null
  readonly via: { readonly kind: 'session' | 'token'; readonly id: number }
}

/** The author of a change, as the audit trail records it. */
export interface Actor {
  readonly id: number | null
  readonly name: string
  readonly via: string
}

export function actorOf({ id, name, via }: Caller): Actor {
  return { id, name, via: `${via.kind} ${via.id}` }
}

/** Somebody who acts on their own account without being signed in, by a link or a registration. */
export function ownerActor(user: { readonly id: number; readonly name: string }): Actor {
  return { ...user, via: 'link' }
}

/** Somebody with a shell on the machine. */
export const OPERATOR: Actor = { id: null, name: 'operator', via: 'command' }

/** The program itself. */
export const SYSTEM: Actor = { id: null, name: 'system', via: 'system' }
