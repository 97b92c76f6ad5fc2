import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed } from 'vue'
import { answerOf, api } from '../../client/api.ts'
import { shapeEntries, type Entry } from './entries.ts'

/** Loads the history of a project before an entry, or the newest; newest first. */
export function useProjectHistory(
  project: () => string,
  before: () => string,
): UseQueryReturnType<readonly Entry[], Error> {
  return useQuery({
    queryKey: computed(() => ['project', Number(project()), 'history', before()]),
    queryFn: async ({ signal }) => {
      const query = before() === '' ? {} : { before: Number(before()) }
      const params = { path: { id: Number(project()) }, query }
      return shapeEntries(await answerOf(api.GET('/projects/{id}/histories', { params, signal })))
    },
  })
}
