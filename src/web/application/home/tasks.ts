import { dayInWords } from '../parts/words/moments.ts'

/** The fields of a component that the page reads, named as in the API. */
interface ComponentTasks {
  readonly id: number
  readonly name: string
  readonly version: number | null
  readonly release: number | null
  readonly comment_period_ends_at: string | null
  readonly project: { readonly id: number; readonly name: string }
  readonly reviews: number
  readonly changes_requested: number
  readonly pending_comments: number
  readonly awaiting_adjudication: number
  readonly clarifications: number
  readonly relocations: number
}

/** Tasks of one kind in one component. */
export interface Task {
  readonly key: string
  readonly label: string
  /** A second line; empty for none. */
  readonly note: string
  readonly icon: 'person' | 'comment' | 'warning' | 'link'
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly component: Pick<ComponentTasks, 'id' | 'name' | 'version' | 'release' | 'project'>
}

type TaskCountName = Exclude<
  keyof ComponentTasks,
  'id' | 'name' | 'version' | 'release' | 'comment_period_ends_at' | 'project'
>

interface TaskKind {
  readonly icon: Task['icon']
  readonly count: TaskCountName
  readonly singular: string
  readonly plural: string
  /** Below the component, or for the whole service. */
  readonly path: (id: number) => string
  readonly query: Readonly<Record<string, string>>
}

const triage = (id: number): string => `/components/${id}/triage`
const editor = (id: number): string => `/components/${id}`

const KINDS: readonly TaskKind[] = [
  {
    icon: 'comment',
    count: 'clarifications',
    singular: 'question about a comment of yours',
    plural: 'questions about comments of yours',
    path: () => '/comments',
    query: { status: 'needs_clarification' },
  },
  {
    icon: 'link',
    count: 'relocations',
    singular: 'requirement proposed for this SRG',
    plural: 'requirements proposed for this SRG',
    query: {},
    path: (id) => `/components/${id}/relocations`,
  },
  {
    icon: 'person',
    count: 'reviews',
    singular: 'rule to review',
    plural: 'rules to review',
    path: editor,
    query: { review: 'requested' },
  },
  {
    icon: 'comment',
    count: 'pending_comments',
    singular: 'comment to decide on',
    plural: 'comments to decide on',
    path: triage,
    query: {},
  },
  {
    icon: 'comment',
    count: 'awaiting_adjudication',
    singular: 'decided comment to close',
    plural: 'decided comments to close',
    path: triage,
    query: { status: 'all', resolved: 'false' },
  },
]

/** Lists tasks by kind; those that block others come first. */
export function tasksOf(components: readonly ComponentTasks[]): readonly Task[] {
  return KINDS.flatMap((kind) =>
    components
      .filter((component) => component[kind.count] > 0)
      .map((component) => {
        const count = component[kind.count]
        return {
          icon: kind.icon,
          key: `${kind.count} ${component.id}`,
          label: `${count} ${count === 1 ? kind.singular : kind.plural}`,
          note: noteOf(kind, component),
          path: kind.path(component.id),
          query: kind.query,
          component,
        }
      }),
  )
}

function noteOf(kind: TaskKind, { comment_period_ends_at: end }: ComponentTasks): string {
  return kind.count === 'pending_comments' && end !== null ? `The comment period ends on ${dayInWords(end)}` : ''
}

interface HomeTasks {
  readonly components: readonly ComponentTasks[]
  readonly requested_changes: readonly unknown[]
  readonly access_requests: readonly unknown[]
}

/** The number of tasks that wait. */
export function countWaiting({ components, requested_changes, access_requests }: HomeTasks): number {
  return tasksOf(components).length + requested_changes.length + access_requests.length
}
