import { z } from 'zod'
import type { Caller } from '../../../http/caller.ts'
import type { Reader } from '../../database/transaction.ts'
import { mayReadComponent } from '../../parts/readable.ts'
import { findCards } from '../components/reader.ts'
import type { ComponentCard } from '../components/schemas.ts'
import { changesOf, findCompared, type ComparedRules } from './compare.ts'

/** The number of versions to compare. */
const MAX_VERSIONS = 50

const number = z.int().nullable()

export const relatedComponent = z.object({
  id: z.int(),
  name: z.string(),
  version: number,
  prefix: z.string(),
  release: number,
  project_id: z.int(),
  project_name: z.string(),
})

type RelatedComponent = z.infer<typeof relatedComponent>

/** Other components that the caller may read and whose primary SRG has the same title, by name. */
export async function findRelated(reader: Reader, componentId: number, caller: Caller): Promise<RelatedComponent[]> {
  return reader
    .selectFrom('components')
    .innerJoin('benchmarks', 'benchmarks.id', 'components.security_requirements_guide_id')
    .innerJoin('projects', 'projects.id', 'components.project_id')
    .select(['components.id', 'components.name', 'components.version', 'components.prefix'])
    .select(['components.release', 'components.project_id', 'projects.name as project_name'])
    .where('components.id', '<>', componentId)
    .where('benchmarks.title', 'in', (is) =>
      is
        .selectFrom('components as own')
        .innerJoin('benchmarks as srg', 'srg.id', 'own.security_requirements_guide_id')
        .select('srg.title')
        .where('own.id', '=', componentId),
    )
    .where(mayReadComponent(caller))
    .orderBy('components.name_key')
    .orderBy('components.id')
    .execute()
}

export interface ComparedVersion {
  readonly component: ComponentCard
  readonly base_component?: ComponentCard
  readonly diff_component?: ComponentCard
  readonly changes?: ReturnType<typeof changesOf>
}

/** The versions of a component in a project, oldest first, each compared with the previous one. */
export async function findLineage(
  reader: Reader,
  { projectId, name }: { readonly projectId: number; readonly name: string },
): Promise<ComparedVersion[]> {
  const cards = await findCards(reader, (is) =>
    is.and([is('components.project_id', '=', projectId), is('components.name', '=', name)]),
  )
  const versions = cards.sort(byVersion).slice(-MAX_VERSIONS)
  const steps: ComparedVersion[] = []
  let before: { readonly card: ComponentCard; readonly rules: ComparedRules } | null = null
  for (const card of versions) {
    const rules = await findCompared(reader, card.id)
    steps.push({
      component: card,
      ...(before !== null && {
        base_component: before.card,
        diff_component: card,
        changes: changesOf(before.rules, rules),
      }),
    })
    before = { card, rules }
  }
  return steps
}

function byVersion(a: ComponentCard, b: ComponentCard): number {
  const version = (a.version ?? -1) - (b.version ?? -1)
  return version || (a.release ?? -1) - (b.release ?? -1) || a.id - b.id
}
