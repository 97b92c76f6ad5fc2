import { queryOptions, useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import type { components } from '#api-types'
import { answerOf, api } from './api.ts'

export type Settings = components['schemas']['GetSettingsAnswer']

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => answerOf(api.GET('/api/settings', { signal })),
})

/** How people sign in here, what a new password needs, and how large files may be. */
export function useSettings(): UseQueryReturnType<Settings, Error> {
  return useQuery(settingsQuery)
}
