import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, toValue, type MaybeRefOrGetter } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from './api.ts'

export type Component = components['schemas']['GetComponentSummaryAnswer']
export type Project = Awaited<ReturnType<typeof askProject>>

/** The number of a record, or its text in a path. */
type Id = number | string

/** A query for `useQuery`. The key of a query about one record begins with its kind and number. */
interface Question<T> {
  readonly queryKey: readonly ['component' | 'project', number]
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<T>
}

/** A component without its rules. */
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

/** A project with its members and components, for its members. */
export function projectQuery(id: Id): Question<Project> {
  return {
    queryKey: ['project', Number(id)],
    queryFn: ({ signal }) => askProject(Number(id), signal),
  }
}

function askProject(id: number, signal: AbortSignal) {
  return answerOf(api.GET('/projects/{id}', { params: { path: { id } }, signal }))
}

/** `V1R2`, or the known part of it. */
export function releaseOf({ version, release }: Pick<Component, 'version' | 'release'>): string {
  const major = version === null ? '' : `V${version}`
  return release === null ? major : `${major}R${release}`
}
