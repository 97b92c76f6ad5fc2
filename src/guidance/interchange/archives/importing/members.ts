import type { Caller } from '../../../../http/caller.ts'
import { isAddable } from '../../../authoring/memberships/consent.ts'
import type { Role } from '../../../database/schema/memberships.ts'
import type { Reader } from '../../../database/transaction.ts'
import type { Archive } from '../format/archive.ts'
import type { People } from './people.ts'

interface MembersTarget {
  /** Null for a project that does not exist yet. */
  readonly projectId: number | null
  readonly caller: Caller
  readonly people: People
}

/** The plan for members of an archived project who have an address. */
export interface MembersPlan {
  readonly joining: readonly { readonly userId: number; readonly role: Role }[]
  /** Names of members who have no account here or do not accept memberships. */
  readonly absent: readonly string[]
}

/** Plans which members join: those who have an account, may be added and are not members yet. */
export async function planMembers(reader: Reader, { project }: Archive, target: MembersTarget): Promise<MembersPlan> {
  const memberIds = await findMembers(reader, target.projectId)
  const newMembers: { userId: number; role: Role }[] = []
  const absent: string[] = []
  for (const { email, name, role } of project?.memberships ?? []) {
    const userId = target.people.idOf(email)
    if (email === null || (userId !== null && memberIds.has(userId))) continue
    if (userId === null || !(await mayJoin(reader, userId, target))) absent.push(name ?? email)
    else {
      memberIds.add(userId)
      newMembers.push({ userId, role })
    }
  }
  return { joining: newMembers, absent }
}

/** Nobody can have asked to join a project that does not exist yet. */
function mayJoin(reader: Reader, userId: number, { projectId, caller }: MembersTarget): Promise<boolean> {
  return isAddable(reader, caller, { userId, projectId: projectId ?? 0 })
}

async function findMembers(reader: Reader, projectId: number | null): Promise<Set<number>> {
  if (projectId === null) return new Set()
  const members = await reader.selectFrom('memberships').select('user_id').where('project_id', '=', projectId).execute()
  return new Set(members.map(({ user_id }) => user_id))
}
