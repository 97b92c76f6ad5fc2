import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from '../client/api.ts'
import { projectQuery, type Project } from '../client/authoring.ts'

type Schemas = components['schemas']
export type ProjectCard = Schemas['ListProjectCardsAnswer'][number]

/** All projects that the person may see. Keys of queries about one project begin with `project` and its number. */
export function useProjects(enabled: () => boolean = () => true): UseQueryReturnType<readonly ProjectCard[], Error> {
  return useQuery({
    queryKey: ['projects'],
    queryFn: ({ signal }) => answerOf(api.GET('/projects', { signal })),
    enabled,
  })
}

export function useProject(project: () => string): UseQueryReturnType<Project, Error> {
  return useQuery(computed(() => projectQuery(project())))
}

export type Srg = Schemas['ListSrgsAnswer'][number]

/** All SRGs of the catalogue. */
export function useSrgs(): UseQueryReturnType<readonly Srg[], Error> {
  return useQuery({
    queryKey: ['srgs-to-choose'],
    queryFn: ({ signal }) => answerOf(api.GET('/srgs', { signal })),
  })
}

/** Released components of all projects. */
export function useReleased(): UseQueryReturnType<readonly Schemas['ListReleasedComponentsAnswer'][number][], Error> {
  return useQuery({
    queryKey: ['released-components'],
    queryFn: ({ signal }) => answerOf(api.GET('/components', { signal })),
  })
}

export type Stig = Schemas['ListStigsAnswer'][number]

/** All STIGs of the catalogue, every release. */
export function useStigs(): UseQueryReturnType<readonly Stig[], Error> {
  return useQuery({
    queryKey: ['stigs-to-choose'],
    queryFn: ({ signal }) => answerOf(api.GET('/stigs', { signal })),
  })
}

/** The SRGs with requirements that a STIG names. */
export function useNamedSrgs(stig: () => number | null): UseQueryReturnType<Schemas['ListNamedSrgsAnswer'], Error> {
  return useQuery({
    queryKey: computed(() => ['stig', stig(), 'srgs']),
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/stigs/{id}/srgs', { params: { path: { id: stig() ?? 0 } }, signal })),
    enabled: () => stig() !== null,
  })
}
