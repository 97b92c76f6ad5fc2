import { queryOptions, useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import type { components } from '#api-types'
import { answerOf, api } from './api.ts'

export type Settings = components['schemas']['GetSettingsAnswer']

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => answerOf(api.GET('/api/settings', { signal })),
})

/** Settings of this installation: sign-in methods, rules for passwords, and limits of files. */
export function useSettings(): UseQueryReturnType<Settings, Error> {
  return useQuery(settingsQuery)
}
