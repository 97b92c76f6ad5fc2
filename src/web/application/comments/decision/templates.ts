import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed } from 'vue'
import { answerOf, api } from '../../client/api.ts'
import type { Template } from '../queries.ts'
import { useMembership } from './membership.ts'

/** The reply templates of a project, for members of the project. */
export function useTemplates(project: () => number): UseQueryReturnType<readonly Template[], Error> {
  const { isMember } = useMembership(project)
  return useQuery({
    queryKey: computed(() => ['project', project(), 'templates']),
    queryFn: async ({ signal }) => {
      const params = { path: { id: project() } }
      const path = '/projects/{id}/triage_response_templates'
      return (await answerOf(api.GET(path, { params, signal }))).triage_response_templates
    },
    enabled: isMember,
  })
}
