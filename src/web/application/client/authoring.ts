import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, toValue, type MaybeRefOrGetter } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from './api.ts'

export type Component = components['schemas']['GetComponentSummaryAnswer']
export type Project = Awaited<ReturnType<typeof askProject>>

/** A number, or the text of a path that has it. */
type Id = number | string

/** For `useQuery`; what is asked about one thing has what it is and its number first in its key. */
interface Question<T> {
  readonly queryKey: readonly ['component' | 'project', number]
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<T>
}

/** A component at a glance. */
export function componentQuery(id: Id): Question<Component> {
  const params = { path: { id: Number(id) } }
  return {
    queryKey: ['component', Number(id)],
    queryFn: ({ signal }) => answerOf(api.GET('/api/components/{id}/summary', { params, signal })),
  }
}

export function useComponent(id: MaybeRefOrGetter<Id>): UseQueryReturnType<Component, Error> {
  return useQuery(computed(() => componentQuery(toValue(id))))
}

/** A project with its members and components, for those who take part in it. */
export function projectQuery(id: Id): Question<Project> {
  return {
    queryKey: ['project', Number(id)],
    queryFn: ({ signal }) => askProject(Number(id), signal),
  }
}

function askProject(id: number, signal: AbortSignal) {
  return answerOf(api.GET('/projects/{id}', { params: { path: { id } }, signal }))
}

/** `V1R2`, as far as it is known. */
export function releaseOf({ version, release }: Pick<Component, 'version' | 'release'>): string {
  const major = version === null ? '' : `V${version}`
  return release === null ? major : `${major}R${release}`
}
