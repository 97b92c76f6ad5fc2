import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, type Ref } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from '../../client/api.ts'
import { usePerson } from '../../client/person.ts'
import { problemOf, type Problem } from '../../client/problem.ts'

type CciOfList = components['schemas']['GetCciAnswer']
type ControlOfLists = components['schemas']['GetControlAnswer']
type LookUp = components['schemas']['LookUpManyAnswer']
type BatchRecord = NonNullable<LookUp['items'][number]['record']>

/** An item of a list that an operator loads, or why there is none. */
export type Listed<T> = { readonly item: T; readonly lacks: null } | { readonly item: null; readonly lacks: Problem }

export interface Cci {
  readonly id: string
  readonly listed: Listed<CciOfList>
  /** Its record in the ontology, or the little that is known without one; null for an unknown CCI. */
  readonly record: BatchRecord | null
}

/** Loads a CCI of DISA's list and its record in the ontology. Throws if neither has it. */
export function useCci(name: Readonly<Ref<string>>): UseQueryReturnType<Cci, Error> {
  const { isSignedIn } = usePerson()
  return useQuery({
    queryKey: computed(() => ['cci', name.value, isSignedIn.value]),
    queryFn: async ({ signal }): Promise<Cci> => {
      const params = { path: { id: name.value } }
      const query = { ids: name.value, view: 'summary' } as const
      const [listed, { items }] = await Promise.all([
        orAbsent(answerOf(api.GET('/api/catalogue/ccis/{id}.json', { params, signal }))),
        answerOf(api.GET('/api/batch', { params: { query }, signal })),
      ])
      const record = cciIn(items)
      if (listed.lacks !== null && record === null) throw listed.lacks
      return { id: listed.item?.id ?? record?.id ?? name.value, listed, record }
    },
  })
}

function cciIn([item]: LookUp['items']): BatchRecord | null {
  return item?.record?.kind === 'cci' ? item.record : null
}

export interface Control {
  readonly id: string
  readonly listed: Listed<ControlOfLists>
}

/** Loads a control of NIST SP 800-53. Throws if the lists are loaded and do not have it. */
export function useControl(name: Readonly<Ref<string>>): UseQueryReturnType<Control, Error> {
  const { isSignedIn } = usePerson()
  return useQuery({
    queryKey: computed(() => ['control', name.value, isSignedIn.value]),
    queryFn: async ({ signal }): Promise<Control> => {
      const params = { path: { id: name.value } }
      const listed = await orAbsent(answerOf(api.GET('/api/catalogue/controls/{id}.json', { params, signal })))
      if (listed.lacks !== null && listed.lacks.code !== 'reference_data_absent') throw listed.lacks
      return { id: listed.item?.id ?? name.value, listed }
    },
  })
}

/** The answer, or the problem where there is nothing (404). */
export async function orAbsent<T>(asked: Promise<T>): Promise<Listed<T>> {
  try {
    return { item: await asked, lacks: null }
  } catch (error) {
    const lacks = problemOf(error)
    if (lacks.status !== 404) throw error
    return { item: null, lacks }
  }
}

type Related = components['schemas']['FindRelatedAnswer']

export interface LinkedTechniques {
  /** The version of the ontology's release. */
  readonly release: string | null
  readonly total: number
  /** The first of them, the closest first. */
  readonly techniques: Related['techniques']['items']
}

const NONE: LinkedTechniques = { release: null, total: 0, techniques: [] }

/** Loads the techniques that the active release links to a CCI or a control. Nothing is linked to an unknown one. */
export function useLinkedTechniques(name: Readonly<Ref<string>>): UseQueryReturnType<LinkedTechniques, Error> {
  return useQuery({
    queryKey: computed(() => ['linked-techniques', name.value]),
    queryFn: async ({ signal }): Promise<LinkedTechniques> => {
      const params = { query: { iri: name.value } }
      const { item } = await orAbsent(answerOf(api.GET('/api/related', { params, signal })))
      if (item === null) return NONE
      const { total, items } = item.techniques
      return { release: item.ontology.version, total, techniques: items }
    },
  })
}
