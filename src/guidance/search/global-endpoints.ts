import { z } from 'zod'
import { signedIn } from '../../http/access.ts'
import type { Caller } from '../../http/caller.ts'
import { endpoint, type Endpoint } from '../../http/endpoint.ts'
import { clampedInteger, describeForgiving, id, searchText } from '../../http/input.ts'
import { termsOf } from '../catalogue/abbreviations/terms.ts'
import { findCatalogueRules, type GlobalSearchParts } from './global-catalogue.ts'
import { findBenchmarks, findComponents, findProjects } from './global-records.ts'
import { findRules } from './global-rules.ts'
import { globalSearchResult, EMPTY_RESULT, type GlobalSearchResult } from './global-schemas.ts'

const MIN_LENGTH = 2
/** Terms of a search text, each of which is searched for separately. */
const MAX_TERMS = 8

const limit = clampedInteger({ min: 1, max: 20, default: 5, invalid: 1 })

/** `GET /api/search/global` (docs/contract.md, Global search). */
export function globalSearchEndpoint(searched: GlobalSearchParts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/search/global',
    operation: 'searchGlobal',
    tag: 'Search',
    summary: 'Projects, components, rules and the catalogue by any text, in groups',
    access: signedIn,
    input: z.object({
      query: z.object({
        q: searchText.optional(),
        limit,
        component_id: z
          .string()
          .optional()
          .meta({
            type: 'integer',
            ...describeForgiving('Only rules of this component; none if it does not exist'),
          }),
      }),
    }),
    answer: globalSearchResult,
    handle: async ({ grant: { caller }, input: { query } }) => {
      const text = query.q?.trim() ?? ''
      if (Array.from(text).length < MIN_LENGTH) return EMPTY_RESULT
      return searchGlobal(searched, caller, { text, component: query.component_id ?? '', limit: query.limit })
    },
  })
}

/** The answer of the endpoint. */
export async function searchGlobal(
  parts: GlobalSearchParts,
  caller: Caller,
  request: { readonly text: string; readonly component: string; readonly limit: number },
): Promise<GlobalSearchResult> {
  const { read } = parts.database
  const { text, limit: maxRecords } = request
  const lookup = { text, terms: termsOf(text).slice(0, MAX_TERMS), limit: maxRecords }
  // Together, so that the thread of the search is woken less often.
  const [projects, components, rules, benchmarks, catalogueRules] = await Promise.all([
    findProjects(read, caller, lookup),
    findComponents(read, caller, lookup),
    rulesWithin(request.component, (scope) => findRules(parts, caller, { text, limit: maxRecords, ...scope })),
    findBenchmarks(read, lookup),
    findCatalogueRules(parts, lookup),
  ])
  return { projects, components, rules, ...benchmarks, ...catalogueRules }
}

/** None, for a component that does not exist or is not readable. */
async function rulesWithin(
  component: string,
  find: (scope: { readonly componentId?: number }) => Promise<GlobalSearchResult['rules']>,
): Promise<GlobalSearchResult['rules']> {
  if (component === '') return find({})
  const componentId = id.safeParse(component)
  return componentId.success ? find({ componentId: componentId.data }) : []
}
