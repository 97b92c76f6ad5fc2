import type { Caller } from '../../http/caller.ts'
import { findAccessRequests, type AccessRequest } from '../authoring/access-requests/reader.ts'
import type { Reader } from '../database/transaction.ts'

/** The user administration lists further locked accounts. */
const MAX_LOCKED = 100

/** The pages (docs/contract.md, Navigation). */
const NAV_LINKS = [
  { icon: 'folder2-open', name: 'Projects', link: '/projects' },
  { icon: 'patch-check-fill', name: 'Released Components', link: '/components' },
  { icon: 'clipboard-check', name: 'STIGs', link: '/stigs' },
  { icon: 'clipboard', name: 'SRGs', link: '/srgs' },
  { icon: 'book', name: 'Documentation', link: '/docs' },
]

interface Person {
  readonly id: number
  readonly name: string
  readonly email: string
}

/** Site administrators get all access requests, others those of projects that they administer. */
export async function findNavigation(
  reader: Reader,
  caller: Caller,
  lockout: boolean,
): Promise<{
  nav_links: typeof NAV_LINKS
  access_requests: AccessRequest[]
  locked_users: Person[]
}> {
  const access_requests = await findAccessRequests(reader, caller.admin ? null : { adminId: caller.id })
  const locked_users = caller.admin && lockout ? await findLockedUsers(reader) : []
  return { nav_links: NAV_LINKS, access_requests, locked_users }
}

async function findLockedUsers(reader: Reader): Promise<Person[]> {
  return reader
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where('locked_at', 'is not', null)
    .orderBy('search_key')
    .orderBy('id')
    .limit(MAX_LOCKED)
    .execute()
}
