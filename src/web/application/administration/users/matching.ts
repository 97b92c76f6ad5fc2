import type { User } from './users.ts'

type Account = Pick<User, 'name' | 'email' | 'admin' | 'provider' | 'locked_at' | 'confirmed_at' | 'second_factors'>

export const STATES = [
  ['admin', 'administrators'],
  ['locked', 'locked'],
  ['unconfirmed', 'not confirmed'],
  ['external', 'by single sign-on'],
  ['one-factor', 'without a second factor'],
] as const

const FILTERS: Readonly<Record<string, (account: Account) => boolean>> = {
  admin: ({ admin }) => admin,
  locked: ({ locked_at }) => locked_at !== null,
  unconfirmed: ({ confirmed_at }) => confirmed_at === null,
  external: ({ provider }) => provider !== null,
  'one-factor': ({ second_factors: count }) => count === 0,
}

/** Accounts that match all words by name or address, and the other filters. */
export function matchingUsers<T extends Account>(
  users: readonly T[],
  { text, state }: { readonly text: string; readonly state: string },
): readonly T[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const isSo = FILTERS[state] ?? (() => true)
  return users.filter((user) => {
    const key = `${user.name} ${user.email}`.toLowerCase()
    return isSo(user) && words.every((word) => key.includes(word))
  })
}
