import type { QueryClient } from '@tanstack/vue-query'
import { personQuery } from '../../client/person.ts'
import { Problem, problemOf } from '../../client/problem.ts'
import { csrf } from '../../client/signed-in.ts'

/** What is refused after somebody has signed in in another window. */
const STALE = 'invalid_csrf_token'

/** False after a refusal: whose session it is now has to be asked. */
let isKnown = true

/** Does something by the session of a person, and never by that of the next. */
export async function whileOwn<T>(
  client: QueryClient,
  person: number,
  act: () => Promise<T>,
): Promise<T> {
  await requireOwn(client, person)
  try {
    return await act()
  } catch (error) {
    const { status, code } = problemOf(error)
    isKnown = status !== 401 && code !== STALE
    if (code !== STALE) throw error
  }
  await requireOwn(client, person)
  return act()
}

async function requireOwn(client: QueryClient, person: number): Promise<void> {
  const known = isKnown ? client.getQueryData(personQuery.queryKey) : undefined
  if ((known ?? (await ask(client))).id !== person)
    throw new Problem(401, { code: 'not_authenticated' })
}

async function ask(client: QueryClient): Promise<{ readonly id: number }> {
  // The answer has the token of the session that there is now.
  csrf.forget()
  const person = await client.query({ ...personQuery, staleTime: 0, retry: false })
  isKnown = true
  return person
}
