import { z } from 'zod'
import { signedIn } from '../../http/access.ts'
import { endpoint, type Endpoint } from '../../http/endpoint.ts'
import { idValue, searchText } from '../../http/input.ts'
import { Refusal } from '../../platform/errors.ts'
import { ruleIdOf } from '../database/rule-names.ts'
import type { Parts } from '../parts/parts.ts'
import { mayListProject, mayReadComponent } from '../parts/readable.ts'

const MAX_RESULTS = 100
const MAX_PROJECTS = 10

const COMMON_PARTS = { method: 'get', tag: 'Search', access: signedIn } as const
const query = z.object({ q: searchText.optional() })
const input = z.object({ query })

const rule = z.tuple([idValue, z.string(), idValue, z.string()])
const idAndName = z.tuple([idValue, z.string()])

/** Searches of older clients, by an exact identifier (contract, Legacy searches). */
export function legacySearchEndpoints(parts: Parts): readonly Endpoint[] {
  return [searchRules(parts), searchComponents(parts), searchProjects(parts)]
}

function searchRules({ database }: Parts): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: '/search/rules',
    operation: 'searchRules',
    input: z.object({ query: query.meta({ required: ['q'] }) }),
    summary: 'Rules made from an SRG requirement, by its id',
    answer: z.object({ rules: z.array(rule) }),
    handle: async ({ grant: { caller }, input: { query: searchQuery } }) => {
      if (searchQuery.q === undefined)
        throw new Refusal('parameter_missing', 'q is missing: the id of an SRG requirement.', {
          parameter: 'q',
        })
      const rows = await database.read
        .selectFrom('rules')
        .innerJoin('components', 'components.id', 'rules.component_id')
        .select(['rules.id', 'rules.number', 'rules.component_id', 'components.prefix'])
        .where('rules.version', '=', searchQuery.q)
        .where('rules.deleted_at', 'is', null)
        .where(mayReadComponent(caller))
        .orderBy('rules.component_id')
        .orderBy('rules.number')
        .limit(MAX_RESULTS)
        .execute()
      return {
        rules: rows.map(({ id, number, component_id, prefix }): z.infer<typeof rule> => {
          return [id, ruleIdOf(number), component_id, prefix]
        }),
      }
    },
  })
}

function searchComponents({ database }: Parts): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: '/search/components',
    operation: 'searchComponents',
    input,
    summary: 'Components made from an SRG, by its id',
    answer: z.object({ components: z.array(idAndName) }),
    handle: async ({ grant: { caller }, input: { query } }) => {
      const rows = await database.read
        .selectFrom('components')
        .innerJoin('benchmarks', 'benchmarks.id', 'components.security_requirements_guide_id')
        .select(['components.id', 'components.name'])
        .where('benchmarks.benchmark_id', '=', query.q ?? '')
        .where(mayReadComponent(caller))
        .orderBy('components.id')
        .limit(MAX_RESULTS)
        .execute()
      return { components: rows.map(shapeNamed) }
    },
  })
}

/**
 * Finds projects only by components that the caller may read: discoverable projects do not show what they work on.
 */
function searchProjects({ database }: Parts): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: '/search/projects',
    operation: 'searchProjects',
    input,
    summary: 'Projects with components made from an SRG, by its id',
    answer: z.object({ projects: z.array(idAndName) }),
    handle: async ({ grant: { caller }, input: { query } }) => {
      const rows = await database.read
        .selectFrom('projects')
        .select(['projects.id', 'projects.name'])
        .where(mayListProject(caller))
        .where('projects.id', 'in', (membership) =>
          membership
            .selectFrom('components')
            .innerJoin('benchmarks', 'benchmarks.id', 'components.security_requirements_guide_id')
            .select('components.project_id')
            .where('benchmarks.benchmark_id', '=', query.q ?? '')
            .where(mayReadComponent(caller)),
        )
        .orderBy('projects.id')
        .limit(MAX_PROJECTS)
        .execute()
      return { projects: rows.map(shapeNamed) }
    },
  })
}

function shapeNamed({ id, name }: { readonly id: number; readonly name: string }): z.infer<typeof idAndName> {
  return [id, name]
}
