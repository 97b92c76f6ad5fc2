import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import type { components } from '#api-types'
import { answerOf, api } from '../client/api.ts'

export type Settings = components['schemas']['GetSettingsAnswer']

/** How people sign in here, and what a new password needs. */
export function useSettings(): UseQueryReturnType<Settings, Error> {
  return useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/settings', { signal })),
  })
}
