import type { components } from '#api-types'

export type User = components['schemas']['ListUsersAnswer'][number]

/** The number of second factors of an account, and whether one is required. */
export function factorsInWords({
  second_factors: count,
  second_factor_required: isRequired,
}: Pick<User, 'second_factors' | 'second_factor_required'>): string {
  const factors = count === 1 ? 'one second factor' : `${count} second factors`
  const has = count === 0 ? 'The account has none' : `The account has ${factors}`
  if (!isRequired) return `${has}.`
  return count === 0
    ? `${has}, and one is required of it: it is asked for at the next sign-in.`
    : `${has}, and one is required of it.`
}
