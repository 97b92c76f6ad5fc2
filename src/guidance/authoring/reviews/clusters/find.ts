import { z } from 'zod'
import { displayedName } from '../../../database/rule-names.ts'
import type { Reader } from '../../../database/transaction.ts'
import { inComponent, findMatching, statusConditions } from '../records/listing.ts'
import { ON_COMPONENT } from '../records/reader.ts'
import { TRIAGE_STATUSES } from '../records/schemas.ts'
import { findClusters, type ComparedComment } from './comment-clusters.ts'

/** The number of comments to compare, the oldest ones. */
const MAX_COMPARED = 2000
/** The number of characters to show of a comment. */
const MAX_SHOWN = 500

const member = z.object({
  id: z.int(),
  rule_id: z.int().nullable(),
  rule_displayed_name: z.string(),
  section: z.string().nullable(),
  commenter_display_name: z.string(),
  created_at: z.string(),
  triage_status: z.enum(TRIAGE_STATUSES).nullable(),
  comment: z.string().meta({ description: `Its first ${MAX_SHOWN} characters` }),
  likeness: z.number().meta({
    description: 'From 0 to 1: how many words it shares with the comment that it is most like; 1 for the oldest',
  }),
})

export const clusterPage = z.object({
  clusters: z.array(
    z.object({ review_ids: z.array(z.int()), comments: z.array(member).meta({ description: 'Oldest first' }) }),
  ),
  pagination: z.object({ page: z.int(), per_page: z.int(), total: z.int() }),
  compared: z.int().meta({ description: 'Number of comments that were compared: the oldest, at most 2000' }),
  comments: z.int().meta({ description: 'Number of comments with the status' }),
})

interface ClusterListing {
  readonly componentId: number
  readonly status: string
  readonly page: number
  readonly perPage: number
}

/** A page of the groups of similar comments of a component, largest first. Three queries. */
export async function findClusterPage(
  reader: Reader,
  { componentId, status, page, perPage }: ClusterListing,
): Promise<z.infer<typeof clusterPage>> {
  const conditions = [inComponent(componentId), ...statusConditions(status)]
  const { count } = await findMatching(reader, conditions)
    .select((is) => is.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const compared = await findCompared(reader, conditions)
  const clusters = (await findClusters(compared)).toSorted((a, b) => b.length - a.length)
  const pageClusters = clusters.slice((page - 1) * perPage, page * perPage)
  const members = await findMembers(
    reader,
    pageClusters.flatMap((cluster) => cluster.map(({ id }) => id)),
  )
  return {
    clusters: pageClusters.map((cluster) => ({
      review_ids: cluster.map(({ id }) => id),
      comments: cluster.flatMap(({ id, likeness }) => {
        const member = members.get(id)
        return member === undefined ? [] : [{ ...member, likeness: Math.round(likeness * 100) / 100 }]
      }),
    })),
    pagination: { page, per_page: perPage, total: clusters.length },
    compared: compared.length,
    comments: count,
  }
}

type Conditions = Parameters<typeof findMatching>[1]

/** The requirement in the version of a rule: `SRG-OS-000470` of `SRG-OS-000470-GPOS-00227`. */
const REQUIREMENT = /^SRG-[A-Z]+-\d+/

async function findCompared(reader: Reader, conditions: Conditions): Promise<readonly ComparedComment[]> {
  const rows = await findMatching(reader, conditions)
    .leftJoin('rules', 'rules.id', 'reviews.rule_id')
    .select(['reviews.id', 'reviews.comment', 'reviews.rule_id', 'rules.version'])
    .orderBy('reviews.created_at')
    .orderBy('reviews.id')
    .limit(MAX_COMPARED)
    .execute()
  return rows.map(({ id, comment, rule_id: ruleId, version }) => ({
    id,
    comment,
    ruleId,
    family: REQUIREMENT.exec(version ?? '')?.[0] ?? version,
  }))
}

type Member = Omit<z.infer<typeof member>, 'likeness'>

async function findMembers(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, Member>> {
  if (ids.length === 0) return new Map()
  const rows = await reader
    .selectFrom('reviews')
    .innerJoin('components', 'components.id', 'reviews.component_id')
    .leftJoin('rules', 'rules.id', 'reviews.rule_id')
    .leftJoin('users', 'users.id', 'reviews.user_id')
    .select(['reviews.id', 'reviews.rule_id', 'reviews.section', 'reviews.comment', 'reviews.author_name'])
    .select(['reviews.created_at', 'reviews.triage_status', 'users.name', 'components.prefix', 'rules.number'])
    .where('reviews.id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ number, prefix, name, author_name, comment, ...row }) => [
      row.id,
      {
        ...row,
        rule_displayed_name: number === null ? ON_COMPONENT : displayedName(prefix, number),
        commenter_display_name: name ?? author_name,
        comment: comment.slice(0, MAX_SHOWN),
      },
    ]),
  )
}
