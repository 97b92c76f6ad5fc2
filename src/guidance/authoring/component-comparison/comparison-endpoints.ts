import { z } from 'zod'
import { type Access, callerAccess, type CallerGrant } from '../../../http/access.ts'
import { DOCUMENT } from '../../../http/answer/answers.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { id, idParams, isStorable, notFound } from '../../../http/input.ts'
import type { RawRequest } from '../../../http/request.ts'
import { refuseValues } from '../../../http/toast.ts'
import { Refusal } from '../../../platform/errors.ts'
import { comparisonTable } from '../../catalogue/benchmark-diff/table.ts'
import type { Parts } from '../../parts/parts.ts'
import { requireProjectRole, type ProjectGrant } from '../../parts/project-access.ts'
import { componentRole, requireComponentRole } from '../access/component-access.ts'
import { componentCard } from '../components/schemas.ts'
import { comparedRule, compareControls } from './compare.ts'
import { compareComponents, comparison } from './differences.ts'
import { findLineage, findRelated, relatedComponent } from './lineage.ts'

const TAG = 'Components'

/** Comparisons of a component with others. */
export function comparisonEndpoints(parts: Parts): readonly Endpoint[] {
  return [related(parts), lineage(parts), compare(parts), differences(parts), differenceTable(parts)]
}

const text = z.string().nullable()

function related({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/components/{id}/related',
    operation: 'listRelatedComponents',
    tag: TAG,
    summary: 'Other components that are based on an SRG with the same title',
    access: componentRole(database, 'read'),
    input: z.object({ params: idParams }),
    answer: z.array(relatedComponent),
    handle: ({ grant: { caller, componentId } }) => findRelated(database.read, componentId, caller),
  })
}

const change = z.object({
  change: z.enum(['added', 'removed', 'updated']),
  base: comparedRule.nullable(),
  diff: comparedRule.nullable(),
})

function lineage({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/components/history',
    operation: 'getComponentLineage',
    tag: TAG,
    summary: 'The versions of a component in a project, each compared with the one before it',
    refusals: ['not_found', 'parameter_missing'],
    access: projectOfQuery(database),
    input: z.object({ query: z.object({ project_id: id, name }) }),
    answer: z.array(
      z.object({
        component: componentCard,
        base_component: componentCard.optional(),
        diff_component: componentCard.optional(),
        changes: z.record(z.string(), change).optional().meta({ description: 'By rule_id' }),
      }),
    ),
    handle: ({ grant: { projectId }, input: { query } }) => findLineage(database.read, { projectId, name: query.name }),
  })
}

const name = z.string().max(255).refine(isStorable, 'cannot be a name')

/** Requires at least a viewer of the project in the query. */
function projectOfQuery({ read }: Parts['database']): Access<ProjectGrant> {
  return callerAccess('project viewer', (caller, request) =>
    requireProjectRole(read, caller, { projectId: queryId(request.query, 'project_id'), least: 'viewer' }),
  )
}

interface ComparisonGrant extends CallerGrant {
  readonly base: number
  readonly diff: number
  readonly areStigs: boolean
}

type ReadComponentIds = (request: RawRequest) => Readonly<Record<'base' | 'diff', number>>

/** Requires that the caller may read both components. */
function bothReadable({ read }: Parts['database'], idsOf: ReadComponentIds): Access<ComparisonGrant> {
  return callerAccess('component viewer of both; anybody once they are released', async (caller, request) => {
    const { base, diff } = idsOf(request)
    const baseGrant = await requireComponentRole(read, caller, { componentId: base, least: 'read' })
    const diffGrant = await requireComponentRole(read, caller, { componentId: diff, least: 'read' })
    return { caller, base, diff, areStigs: baseGrant.documentType === 'stig' && diffGrant.documentType === 'stig' }
  })
}

function queryId(query: Readonly<Record<string, unknown>>, name: string): number {
  if (query[name] === undefined)
    throw new Refusal('parameter_missing', `The query needs "${name}".`, { parameter: name })
  return parseId(query[name])
}

function parseId(text: unknown): number {
  const parsed = id.safeParse(text)
  if (!parsed.success) throw notFound()
  return parsed.data
}

function compare({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/components/compare',
    operation: 'compareComponents',
    tag: TAG,
    summary: 'Compare two STIGs as InSpec, rule by rule; names that differ only in their prefix are not a change',
    refusals: ['not_found', 'parameter_missing', 'validation_failed'],
    access: bothReadable(database, ({ query }) => ({
      base: queryId(query, 'base_id'),
      diff: queryId(query, 'diff_id'),
    })),
    input: z.object({ query: z.object({ base_id: id, diff_id: id }) }),
    answer: z.object({
      data: z
        .record(z.string(), z.object({ base: text, diff: text, changed: z.boolean() }))
        .meta({ description: 'By rule_id' }),
      meta: z.object({ base_id: z.int(), diff_id: z.int(), rules_count: z.int() }),
    }),
    handle: async ({ grant: { base, diff, areStigs } }) => {
      if (!areStigs)
        throw refuseValues('Could not compare components.', [{ field: null, message: 'Only STIGs can be compared' }])
      const data = await compareControls(database.read, { base, diff })
      return { data, meta: { base_id: base, diff_id: diff, rules_count: Object.keys(data).length } }
    },
  })
}

const differenceInput = z.object({
  params: idParams,
  query: z.object({ from: id.meta({ description: 'The component that it is compared with' }) }),
})

/** Admits callers who may read both components. */
function readersOfBoth({ database }: Parts): Access<ComparisonGrant> {
  return bothReadable(database, ({ params, query }) => ({
    base: queryId(query, 'from'),
    diff: parseId(params['id']),
  }))
}

function differences(parts: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/components/{id}/diff',
    operation: 'diffComponents',
    tag: TAG,
    summary:
      'Compare two components, rule by rule and field by field; names that differ only in their prefix are not a change',
    refusals: ['not_found', 'parameter_missing'],
    access: readersOfBoth(parts),
    input: differenceInput,
    answer: comparison,
    handle: ({ grant: { base, diff } }) => compareComponents(parts.database.read, { from: base, to: diff }),
  })
}

function differenceTable(parts: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/components/{id}/diff.csv',
    operation: 'diffComponentsAsTable',
    tag: TAG,
    summary: 'Compare two components as a table, one row for each field that differs',
    refusals: ['not_found', 'parameter_missing'],
    access: readersOfBoth(parts),
    input: differenceInput,
    answer: DOCUMENT,
    mediaTypes: ['text/csv'],
    handle: async ({ grant: { base, diff } }) => {
      const { from, to, rules } = await compareComponents(parts.database.read, {
        from: base,
        to: diff,
      })
      return comparisonTable(`${stemOf(from)}-${stemOf(to)}.csv`, rules, 'SRG ID')
    },
  })
}

function stemOf({ prefix, version, release }: z.infer<typeof comparison>['to']): string {
  return `${prefix}-V${version ?? 0}R${release ?? 0}`
}
