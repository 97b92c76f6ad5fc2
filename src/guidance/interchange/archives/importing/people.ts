import type { Caller } from '../../../../http/caller.ts'
import { inPortions } from '../../../../platform/concurrency/turns.ts'
import { isKnownTo } from '../../../authoring/memberships/known-people.ts'
import type { Reader } from '../../../database/transaction.ts'
import type { Archive } from '../format/archive.ts'
import type { ChosenComponent } from './plan.ts'

/** The number of addresses that one query looks up. */
const BATCH_SIZE = 5000

/** Accounts by address, ignoring case. */
export class People {
  readonly #ids: ReadonlyMap<string, number>

  constructor(ids: ReadonlyMap<string, number>) {
    this.#ids = ids
  }

  idOf(email: string | null): number | null {
    return email === null ? null : (this.#ids.get(email.trim().toLowerCase()) ?? null)
  }

  /**
   * The people to whom the caller may attribute imported reviews. Archives can be forged, so only site administrators
   * may attribute reviews to others.
   */
  attributableBy(caller: Pick<Caller, 'id' | 'admin'>): People {
    return caller.admin ? this : new People(new Map([...this.#ids].filter(([, id]) => id === caller.id)))
  }
}

interface PeopleLookup {
  readonly chosen: readonly ChosenComponent[]
  /** Whether the caller may only find people whom they know. */
  readonly bounded: boolean
  readonly caller: Pick<Caller, 'id'>
}

/**
 * Finds the accounts of people in the archive. If the caller is bounded, only of people whom they know: otherwise a
 * forged archive would reveal which addresses have accounts.
 */
export async function findPeople(
  reader: Reader,
  { project }: Archive,
  { chosen, bounded, caller }: PeopleLookup,
): Promise<People> {
  const emails = [
    ...(project?.memberships ?? []).map(({ email }) => email),
    ...chosen.flatMap(({ reviews }) =>
      reviews.flatMap(({ user_email, triage_set_by_email, adjudicated_by_email, reactions }) => [
        user_email,
        triage_set_by_email,
        adjudicated_by_email,
        ...reactions.map((reaction) => reaction.user_email),
      ]),
    ),
  ]
  const addresses = [...new Set(emails.flatMap((email) => email?.trim().toLowerCase() ?? []))]
  const ids = new Map<string, number>()
  for await (const portion of inPortions(addresses, BATCH_SIZE)) {
    let users = reader.selectFrom('users').select(['users.id', 'users.email']).where('users.email', 'in', portion)
    if (bounded) users = users.where((is) => isKnownTo(is, caller.id))
    const rows = await users.execute()
    for (const { id, email } of rows) ids.set(email, id)
  }
  return new People(ids)
}
