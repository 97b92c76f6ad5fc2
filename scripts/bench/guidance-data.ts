import { insertMembership } from '../../src/guidance/authoring/memberships/writer.ts'
import { insertProject } from '../../src/guidance/authoring/projects/writer.ts'
import type { Writer } from '../../src/guidance/database/transaction.ts'
import { hashPassword } from '../../src/guidance/identity/passwords/passwords.ts'
import { mintToken } from '../../src/guidance/identity/tokens/format.ts'
import { insertToken } from '../../src/guidance/identity/tokens/writer.ts'
import type { User } from '../../src/guidance/identity/users/reader.ts'
import { insertUser } from '../../src/guidance/identity/users/writer.ts'
import type { GuidanceService } from '../../src/guidance/index.ts'
import { SYSTEM } from '../../src/http/caller.ts'

export const USERS = 200
export const PROJECTS = 1000
export const EMAIL = 'user-1@example.org'
export const PASSWORD = 'Correct-Horse-42-!Staple'

/** People, projects, and a token of a person who sees half of the projects. */
export async function populate({ database, keys }: GuidanceService): Promise<string> {
  const passwordHash = await hashPassword(PASSWORD)
  const raw = mintToken()
  await database.transact(async (writer) => {
    const people = await addPeople(writer, passwordHash)
    for (let index = 0; index < PROJECTS; index += 1) await addProject(writer, people, index)
    const token = { raw, name: 'bench', scopes: ['read'], expires_at: nextMonth(), allowed_ips: [] }
    const issuance = { key: keys.token, actor: SYSTEM, title: '' }
    await insertToken(writer, { ...token, userId: personAt(people, 0).id }, issuance)
  })
  return raw
}

export async function addPeople(writer: Writer, passwordHash: string): Promise<readonly User[]> {
  const people: User[] = []
  for (let index = 1; index <= USERS; index += 1) {
    const person = { name: `User ${index}`, email: `user-${index}@example.org`, passwordHash }
    people.push(await insertUser(writer, { ...person, admin: false, confirmed: true }, { actor: SYSTEM, title: '' }))
  }
  return people
}

/** Every second project is hidden. Every fourth has two more members; one of them sends the requests of the bench. */
async function addProject(writer: Writer, people: readonly User[], index: number): Promise<void> {
  const owner = personAt(people, 1 + (index % (USERS - 1)))
  const via = { kind: 'session', id: 0 } as const
  const caller = { ...owner, admin: false, provider: null, via }
  const visibility = index % 2 === 0 ? 'discoverable' : 'hidden'
  const project = { name: `Project ${(index * 7919) % PROJECTS}`, visibility } as const
  const projectId = await insertProject(writer, project, caller)
  if (index % 4 !== 0) return
  const members = new Set([personAt(people, 0), personAt(people, (index * 7) % USERS)])
  members.delete(owner)
  for (const { id: userId } of members) await insertMembership(writer, { userId, projectId, role: 'viewer' }, SYSTEM)
}

function personAt(people: readonly User[], index: number): User {
  const person = people[index]
  if (person === undefined) throw new RangeError('There are not so many people')
  return person
}

function nextMonth(): string {
  return new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
}
