import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import { copyRequirements } from '../../src/guidance/authoring/component-creation/from-srg.ts'
import { insertComponent } from '../../src/guidance/authoring/components/record.ts'
import type { Role } from '../../src/guidance/database/schema/memberships.ts'
import type { RulesTable } from '../../src/guidance/database/schema/rules.ts'
import { store } from './catalogue.ts'
import { addRow, rowsOf, setRows } from './guidance-records.ts'
import type { GuidanceUnderTest, Person } from './guidance.ts'
import type { SampleRule } from './xccdf-document.ts'

export interface SampleComponent {
  readonly projectId: number
  readonly kind?: 'stig' | 'srg'
  readonly name?: string
  readonly prefix?: string
  readonly version?: number | null
  readonly release?: number | null
  /** The number of requirements of its SRG, or the requirements. */
  readonly rules?: number | readonly SampleRule[]
  /** Number of an existing SRG; without it, a new one is stored. */
  readonly srgId?: number
}

export interface MadeComponent {
  readonly id: number
  readonly srgId: number
  /** Numbers of its rules, in their order. */
  readonly rules: readonly number[]
}

/** Creates a component from a new SRG without HTTP. */
export async function makeComponent(
  guidance: GuidanceUnderTest,
  owner: Person,
  { projectId, kind = 'stig', rules = 3, version = 1, release = 1, ...sample }: SampleComponent,
): Promise<MadeComponent> {
  const srgId = sample.srgId ?? (await storeSrg(guidance, kind, rules))
  const { database } = guidance.service.guidance
  const name = sample.name ?? `Teapot ${randomBytes(4).toString('hex')}`
  const caller = { ...owner, admin: false, provider: null, via: { kind: 'session', id: 1 } } as const
  const id = await database.transact(async (writer) => {
    const record = {
      projectId,
      documentType: kind,
      srgIds: [srgId],
      overlaid: null,
      publishedSource: null,
      name,
      prefix: sample.prefix ?? 'TEAP-00',
      title: `${name} Guide`,
      description: null,
      version,
      release,
      admin: null,
      advancedFields: false,
      metadata: {},
    }
    const componentId = await insertComponent(writer, record, caller)
    await copyRequirements(writer, componentId, { ids: [srgId], selections: new Map() })
    return componentId
  })
  return { id, srgId, rules: (await rulesInOrder(guidance, id)).map((rule) => rule.id) }
}

const shared = new WeakMap<GuidanceUnderTest, Promise<number>>()

/** The shared SRG of most components; no test may change or remove it. */
export function sharedSrg(guidance: GuidanceUnderTest): Promise<number> {
  const srgId = shared.get(guidance) ?? storeSrg(guidance)
  shared.set(guidance, srgId)
  return srgId
}

/** An SRG with its own benchmark id; a core SRG, if SRGs are created from it. */
export async function storeSrg(
  guidance: GuidanceUnderTest,
  kind: 'stig' | 'srg' = 'stig',
  rules: number | readonly SampleRule[] = 3,
): Promise<number> {
  const id = await store(guidance, { id: `Teapot_${randomBytes(6).toString('hex')}_SRG`, kind: 'srg', rules })
  if (kind === 'srg') await setRows(guidance, 'benchmarks', { core: 1 }, { id })
  return id
}

/** The rules of a component, in their order. */
export async function rulesInOrder(
  guidance: GuidanceUnderTest,
  component_id: number,
): Promise<readonly Selectable<RulesTable>[]> {
  const rules = await rowsOf(guidance, 'rules', { component_id })
  return rules.toSorted((a, b) => a.number - b.number)
}

/** Links a rule to another rule that satisfies it. */
export async function satisfy(
  guidance: GuidanceUnderTest,
  rule_id: number,
  satisfied_by_rule_id: number,
): Promise<void> {
  const link = { rule_id, satisfied_by_rule_id, previous_status: null, created_at: new Date().toISOString() }
  await addRow(guidance, 'rule_satisfactions', link)
}

/** Makes somebody a member of a component alone. */
export async function componentMember(
  guidance: GuidanceUnderTest,
  componentId: number,
  { person, role }: { readonly person: Person; readonly role: Role },
): Promise<void> {
  const now = new Date().toISOString()
  await addRow(guidance, 'component_memberships', {
    user_id: person.id,
    component_id: componentId,
    role,
    created_at: now,
    updated_at: now,
  })
}
