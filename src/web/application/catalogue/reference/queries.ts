import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, type Ref } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from '../../client/api.ts'
import { usePerson } from '../../client/person.ts'
import { problemOf, type Problem } from '../../client/problem.ts'
import { site } from '../../client/site.ts'
import { relationOf } from './places.ts'

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
      const [listed, record] = await Promise.all([
        orAbsent(answerOf(api.GET('/api/catalogue/ccis/{id}.json', { params, signal }))),
        site.isCopy ? null : recordOf(name.value, signal),
      ])
      if (listed.lacks !== null && record === null) throw listed.lacks
      return { id: listed.item?.id ?? record?.id ?? name.value, listed, record }
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
  readonly listed: Listed<ControlOfLists>
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

/** A technique that the ontology relates to a CCI or a control. */
export type LinkedTechnique = CciOfList['techniques'][number]

export interface LinkedTechniques {
  /** The version of the ontology's release. */
  readonly release: string | null
  readonly techniques: readonly LinkedTechnique[]
}

export type ListedItem = Pick<CciOfList, 'techniques' | 'ontology'>

/** The techniques of a CCI or a control: a list tells them, or the ontology where none is loaded. */
export function useLinkedTechniques(
  name: Readonly<Ref<string>>,
  listed: Readonly<Ref<ListedItem | null>>,
): UseQueryReturnType<LinkedTechniques, Error> {
  return useQuery({
    queryKey: computed(() => ['linked-techniques', name.value, listed.value?.ontology?.digest ?? null]),
    queryFn: async ({ signal }): Promise<LinkedTechniques> => {
      if (listed.value !== null) {
        const { ontology, techniques } = listed.value
        return { release: ontology?.version ?? null, techniques }
      }
      const params = { query: { iri: name.value } }
      const { item } = await orAbsent(answerOf(api.GET('/api/related', { params, signal })))
      const techniques = item?.techniques.items ?? []
      return {
        release: item?.ontology.version ?? null,
        techniques: techniques.map(({ ways, ...technique }) => {
          return { ...technique, relations: [...new Set(ways.map(({ path }) => relationOf(path)))] }
        }),
      }
    },
  })
}
