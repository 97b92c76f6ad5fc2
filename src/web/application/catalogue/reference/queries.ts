import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, type Ref } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from '../../client/api.ts'
import { usePerson } from '../../client/person.ts'
import { problemOf, type Problem } from '../../client/problem.ts'
import { site } from '../../client/site.ts'
import type { RuleDetail } from '../benchmark.ts'
import { releaseNameOf } from '../release-paths.ts'
import { requirementQuery, ruleQuery, type Requirement } from '../release-queries.ts'
import { relationOf } from './control-references.ts'

type CciOfList = components['schemas']['GetCciAnswer']
type ControlOfLists = components['schemas']['GetControlAnswer']
type LookUp = components['schemas']['LookUpManyAnswer']
type BatchRecord = NonNullable<LookUp['items'][number]['record']>

/** An item of a list that an operator loads, or why there is none. */
export type ListItemOrProblem<T> =
  | { readonly item: T; readonly lacks: null }
  | { readonly item: null; readonly lacks: Problem }

export interface Cci {
  readonly id: string
  readonly listed: ListItemOrProblem<CciOfList>
  /** Its record in the ontology, or the known facts without one; null for an unknown CCI. */
  readonly record: BatchRecord | null
  readonly linked: LinkedTechniques
}

/** Loads a CCI of DISA's list and its record in the ontology. Throws if neither has it. */
export function useCci(name: Readonly<Ref<string>>): UseQueryReturnType<Cci, Error> {
  const { isSignedIn } = usePerson()
  return useQuery({
    queryKey: computed(() => ['cci', name.value, isSignedIn.value]),
    queryFn: async ({ signal }): Promise<Cci> => {
      const params = { path: { id: name.value } }
      const [listed, record] = await Promise.all([
        orAbsent(answerOf(api.GET('/api/catalogue/ccis/{id}.json', { params, signal }))),
        site.isCopy ? null : recordOf(name.value, signal),
      ])
      if (listed.lacks !== null && record === null) throw listed.lacks
      const id = listed.item?.id ?? record?.id ?? name.value
      return { id, listed, record, linked: await linkedTechniques(id, listed.item, signal) }
    },
  })
}

async function recordOf(name: string, signal: AbortSignal): Promise<BatchRecord | null> {
  const query = { ids: name, view: 'summary' } as const
  const {
    items: [item],
  } = await answerOf(api.GET('/api/batch', { params: { query }, signal }))
  return item?.record?.kind === 'cci' ? item.record : null
}

export interface Control {
  readonly id: string
  readonly listed: ListItemOrProblem<ControlOfLists>
  readonly linked: LinkedTechniques
}

/** Loads a control of NIST SP 800-53. Throws if the lists are loaded and do not have it. */
export function useControl(name: Readonly<Ref<string>>): UseQueryReturnType<Control, Error> {
  const { isSignedIn } = usePerson()
  return useQuery({
    queryKey: computed(() => ['control', name.value, isSignedIn.value]),
    queryFn: async ({ signal }): Promise<Control> => {
      // Published files have the name without spaces.
      const params = { path: { id: name.value.replaceAll(' ', '') } }
      const listed = await orAbsent(answerOf(api.GET('/api/catalogue/controls/{id}.json', { params, signal })))
      if (listed.lacks !== null && listed.lacks.code !== 'reference_data_absent') throw listed.lacks
      const id = listed.item?.id ?? name.value
      return { id, listed, linked: await linkedTechniques(id, listed.item, signal) }
    },
  })
}

/** The answer, or the problem if there is none (404). */
export async function orAbsent<T>(request: Promise<T>): Promise<ListItemOrProblem<T>> {
  try {
    return { item: await request, lacks: null }
  } catch (error) {
    const lacks = problemOf(error)
    if (lacks.status !== 404) throw error
    return { item: null, lacks }
  }
}

/** A technique that the ontology relates to a CCI or a control. */
export type LinkedTechnique = CciOfList['techniques'][number]

export interface LinkedTechniques {
  /** The version of the ontology's release. */
  readonly release: string | null
  readonly techniques: readonly LinkedTechnique[]
}

/** The techniques of a CCI or a control, from the answer for its list; without the list, from the ontology. */
async function linkedTechniques(
  name: string,
  listed: Pick<CciOfList, 'techniques' | 'ontology'> | null,
  signal: AbortSignal,
): Promise<LinkedTechniques> {
  if (listed !== null) return { release: listed.ontology?.version ?? null, techniques: listed.techniques }
  const params = { query: { iri: name } }
  const { item } = await orAbsent(answerOf(api.GET('/api/related', { params, signal })))
  const techniques = item?.techniques.items ?? []
  return {
    release: item?.ontology.version ?? null,
    techniques: techniques.map(({ ways, ...technique }) => {
      return { ...technique, relations: [...new Set(ways.map(({ path }) => relationOf(path)))] }
    }),
  }
}

interface StatedRequirement extends Requirement {
  /** The requirement in its SRG; null if no SRG of the catalogue has it. */
  readonly stated: RuleDetail | null
}

/** Loads the rules of all products that meet a requirement, and the requirement with its texts. */
export function useStatedRequirement(requirement: Readonly<Ref<string>>): UseQueryReturnType<StatedRequirement, Error> {
  const { isSignedIn } = usePerson()
  return useQuery({
    queryKey: computed(() => ['stated-requirement', requirement.value, isSignedIn.value]),
    queryFn: async ({ signal }): Promise<StatedRequirement> => {
      const answer = await requirementQuery(requirement.value, isSignedIn.value).queryFn({ signal })
      const srgs = answer.benchmarks.filter(({ kind }) => kind === 'srg')
      for (const srg of srgs) {
        const rule = srg.rules.find(({ version }) => version === answer.requirement)?.rule_id
        if (rule === undefined) continue
        const request = { release: releaseNameOf(srg), rule, query: {}, isSignedIn: isSignedIn.value }
        return { ...answer, stated: await ruleQuery(request).queryFn({ signal }) }
      }
      return { ...answer, stated: null }
    },
  })
}
