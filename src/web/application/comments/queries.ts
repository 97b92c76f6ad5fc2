import { keepPreviousData, useQuery, useQueryClient, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, type Ref } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from '../client/api.ts'
import { commentParameters, type Filters, type Pagination, type Scope } from './filters.ts'

type Schemas = components['schemas']
/** A comment that begins a conversation. */
export type Row = Schemas['ListProjectCommentsAnswer']['rows'][number]
export type Reply = Schemas['ListResponsesAnswer']['rows'][number]
export type Group = Schemas['CountComponentCommentsAnswer']['rows'][number]
export type AlikeComment = Schemas['ListCommentClustersAnswer']['clusters'][number]['comments'][number]
export type RuleContent = NonNullable<Schemas['GetReviewAnswer']['review']['rule_content']>
export type Template = Schemas['ListResponseTemplatesAnswer']['triage_response_templates'][number]

/** A page of comments, with the number of each status. */
interface CommentList {
  readonly rows: readonly Row[]
  readonly pagination: Pagination
  readonly status_counts: Schemas['ListProjectCommentsAnswer']['status_counts']
}

const PER_PAGE = 25
/** Components have events about the changes of others; projects are queried this often instead. */
const OFTEN_MS = 15_000

export function useComments(
  scope: Readonly<Ref<Scope>>,
  filters: Readonly<Ref<Filters>>,
): UseQueryReturnType<CommentList, Error> {
  return useQuery({
    queryKey: computed(() => [scope.value.kind, scope.value.id, 'comments', filters.value]),
    queryFn: ({ signal }): Promise<CommentList> => {
      const { project, component } = parametersOf(scope.value, filters.value, PER_PAGE)
      return scope.value.kind === 'project'
        ? answerOf(api.GET('/projects/{id}/comments', { params: project, signal }))
        : answerOf(api.GET('/components/{id}/comments', { params: component, signal }))
    },
    placeholderData: keepPreviousData,
    refetchInterval: () => (scope.value.kind === 'project' ? OFTEN_MS : false),
  })
}

interface GroupList {
  readonly rows: readonly Group[]
  readonly pagination: CommentList['pagination']
}

/** The number of comments of each rule. */
export function useGroups(
  scope: Readonly<Ref<Scope>>,
  filters: Readonly<Ref<Filters>>,
): UseQueryReturnType<GroupList, Error> {
  return useQuery({
    queryKey: computed(() => [scope.value.kind, scope.value.id, 'groups', filters.value]),
    queryFn: ({ signal }): Promise<GroupList> => {
      const { project, component } = parametersOf(scope.value, filters.value, 100)
      return scope.value.kind === 'project'
        ? answerOf(api.GET('/projects/{id}/comments/by_rule', { params: project, signal }))
        : answerOf(api.GET('/components/{id}/comments/by_rule', { params: component, signal }))
    },
    placeholderData: keepPreviousData,
  })
}

/** The parameters of a request for the comments of a project or of a component. */
function parametersOf({ id }: Scope, filters: Filters, per_page: number) {
  const { about, component, rule, page } = filters
  const query = { ...commentParameters(filters), page, per_page }
  return {
    project: { path: { id }, query: { ...query, ...(component > 0 && { component_id: component }) } },
    component: { path: { id }, query: { ...query, commentable_type: about, ...(rule > 0 && { rule_id: rule }) } },
  }
}

/** One comment with its rule. */
export function useReview(
  component: Readonly<Ref<number>>,
  id: Readonly<Ref<number>>,
): UseQueryReturnType<Schemas['GetReviewAnswer']['review'], Error> {
  return useQuery({
    queryKey: computed(() => ['component', component.value, 'comment', id.value]),
    queryFn: async ({ signal }) => {
      const params = { path: { id: id.value } }
      return (await answerOf(api.GET('/reviews/{id}', { params, signal }))).review
    },
    enabled: computed(() => id.value > 0),
    placeholderData: keepPreviousData,
  })
}

export function useReplies(
  component: Readonly<Ref<number>>,
  id: Readonly<Ref<number>>,
  enabled: Readonly<Ref<boolean>>,
): UseQueryReturnType<readonly Reply[], Error> {
  return useQuery({
    queryKey: computed(() => ['component', component.value, 'replies', id.value]),
    queryFn: async ({ signal }) => {
      const params = { path: { id: id.value } }
      return (await answerOf(api.GET('/reviews/{id}/responses', { params, signal }))).rows
    },
    enabled,
  })
}

const CHANGED: ReadonlySet<unknown> = new Set([
  undefined,
  'comments',
  'groups',
  'comment',
  'replies',
  'reviews',
  'rules',
])

/** Refreshes the answers that depend on comments: lists, counts, and the component. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient()
  return () =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [kind, , part] }) =>
        kind === 'my-comments' || ((kind === 'component' || kind === 'project') && CHANGED.has(part)),
    })
}
