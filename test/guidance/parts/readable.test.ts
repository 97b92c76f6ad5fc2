import type { Expression, SqlBool } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  findReadRights,
  isMemberOfComponent,
  mayListProject,
  mayReadComponent,
  mayReadEvent,
  mayReadUsage,
  projectsKnownTo,
} from '../../../src/guidance/parts/readable.ts'
import { componentMember, makeComponent } from '../../support/authoring.ts'
import { setRows } from '../../support/guidance-records.ts'
import { guidanceService, type Person } from '../../support/guidance.ts'

const guidance = guidanceService()

/** Ids of components, by name: `draft` and `released` of a hidden project, `open` of a discoverable one. */
const components = new Map<string, number>()
const projects = new Map<string, number>()
const people = new Map<string, Person>()

beforeAll(async () => {
  const owner = await guidance().signUp('Owner')
  for (const visibility of ['hidden', 'discoverable'])
    projects.set(visibility, await guidance().project(owner, { name: `A ${visibility} project`, visibility }))
  for (const [name, project] of [
    ['draft', 'hidden'],
    ['released', 'hidden'],
    ['open', 'discoverable'],
  ] as const) {
    const projectId = projects.get(project) ?? 0
    const made = await makeComponent(guidance(), owner, { projectId, name, rules: 1 })
    components.set(name, made.id)
  }
  await setRows(guidance(), 'components', { released: 1 }, { id: components.get('released') ?? 0 })
  for (const name of ['Stranger', 'Member', 'Part']) people.set(name, await guidance().person(name))
  people.set('Admin', await guidance().person('Admin', { admin: true }))
  await guidance().member(projects.get('hidden') ?? 0, personOf('Member'), 'viewer')
  await componentMember(guidance(), components.get('draft') ?? 0, { person: personOf('Part'), role: 'viewer' })
})

function personOf(name: string): Person {
  const person = people.get(name)
  if (person === undefined) throw new Error(`There is no ${name}`)
  return person
}

function callerOf(name: string): Parameters<typeof mayReadComponent>[0] {
  return { id: personOf(name).id, admin: name === 'Admin' }
}

function reader() {
  return guidance().service.guidance.database.read
}

async function componentsWhere(condition: Expression<SqlBool>): Promise<readonly string[]> {
  const rows = await reader().selectFrom('components').select('id').where(condition).execute()
  const found = new Set(rows.map(({ id }) => id))
  return [...components].flatMap(([name, id]) => (found.has(id) ? [name] : []))
}

async function eventsWhere(condition: Expression<SqlBool>): Promise<readonly string[]> {
  const rows = await reader()
    .selectFrom('events')
    .select('component_id')
    .where('kind', '=', 'component.created')
    .where(condition)
    .execute()
  const found = new Set(rows.map(({ component_id }) => component_id))
  return [...components].flatMap(([name, id]) => (found.has(id) ? [name] : []))
}

/** Stranger, member of the hidden project, member of its draft alone, site administrator. */
const NAMES = ['Stranger', 'Member', 'Part', 'Admin']

describe('What a caller may read', () => {
  it.each([
    ['Stranger', ['released']],
    ['Member', ['draft', 'released']],
    ['Part', ['draft', 'released']],
    ['Admin', ['draft', 'released', 'open']],
  ])('includes released components and those of their memberships: %s', async (name, readable) => {
    expect(await componentsWhere(mayReadComponent(callerOf(name)))).toEqual(readable)
    expect(await eventsWhere(mayReadEvent(callerOf(name)))).toEqual(readable)
  })

  it.each([
    ['Stranger', []],
    ['Member', ['draft', 'released']],
    ['Part', ['draft']],
    ['Admin', ['draft', 'released', 'open']],
  ])('excludes released components if only memberships count: %s', async (name, expected) => {
    expect(await componentsWhere(isMemberOfComponent(callerOf(name)))).toEqual(expected)
  })

  it.each([
    ['Stranger', ['released']],
    ['Member', ['draft', 'released']],
    ['Part', ['released']],
    ['Admin', ['draft', 'released', 'open']],
  ])('does not count direct members among the users of an SRG: %s', async (name, used) => {
    expect(await componentsWhere(mayReadUsage(callerOf(name)))).toEqual(used)
  })

  it.each([
    ['Stranger', ['discoverable']],
    ['Member', ['hidden', 'discoverable']],
    ['Part', ['discoverable']],
    ['Admin', ['hidden', 'discoverable']],
  ])('lists discoverable projects and those of members: %s', async (name, listed) => {
    const rows = await reader()
      .selectFrom('projects')
      .select('id')
      .where(mayListProject(callerOf(name)))
      .execute()
    const found = new Set(rows.map(({ id }) => id))
    expect([...projects].flatMap(([kind, id]) => (found.has(id) ? [kind] : []))).toEqual(listed)
  })

  it('includes the existence of the project for members of a component', async () => {
    const rows = await reader()
      .selectFrom('projects')
      .select('id')
      .where('id', 'in', projectsKnownTo(callerOf('Part')))
      .execute()
    expect(rows).toEqual([{ id: projects.get('hidden') }])
  })

  it('is the same for one caller and for many at once', async () => {
    const events = await reader().selectFrom('events').select(['id', 'project_id', 'component_id']).execute()
    expect(events.length).toBeGreaterThan(2)
    const callers = NAMES.map(callerOf)
    const mayRead = await findReadRights(reader(), callers, events)
    for (const caller of callers) {
      const rows = await reader().selectFrom('events').select('id').where(mayReadEvent(caller)).orderBy('id').execute()
      const together = events.filter((event) => mayRead(caller, event)).map(({ id }) => id)
      expect(together.sort((a, b) => a - b)).toEqual(rows.map(({ id }) => id))
    }
  })
})
