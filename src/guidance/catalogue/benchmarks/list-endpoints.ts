import { z } from 'zod'
import { compareCodeUnits } from '../../../graph/term.ts'
import { everyone, signedIn } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams, NO_INPUT, notFound, searchText } from '../../../http/input.ts'
import type { Reader } from '../../database/transaction.ts'
import type { Parts } from '../../parts/parts.ts'
import { matcherOf } from '../abbreviations/terms.ts'
import { SRGS, STIGS, type Catalogue } from './catalogues.ts'
import { latestOf, listReleases, type Release } from './releases.ts'
import { srgLatest, srgRow, srgStats, stigLatest, stigRow, stigStats } from './schemas.ts'
import { shapeReleases, srgRowOf, stigRowOf, type BenchmarkRelease } from './shape.ts'
import { findVisibleUsage } from './usage.ts'

const TAG = 'Catalogue'

/** Lists and counts of the catalogue. */
export function catalogueListEndpoints(parts: Parts): readonly Endpoint[] {
  return [
    list(parts, SRGS, srgRow, srgRowOf),
    list(parts, STIGS, stigRow, stigRowOf),
    listLatest(parts, SRGS, srgLatest, ({ id, benchmarkId: srg_id, title, version, name }) => {
      return { id, srg_id, title, version, name }
    }),
    listLatest(parts, STIGS, stigLatest, ({ id, benchmarkId: stig_id, title, version, name }) => {
      return { id, stig_id, title, version, name }
    }),
    getSrgStats(parts),
    getStigStats(parts),
  ]
}

function list<T extends z.ZodType>(
  { database }: Parts,
  { kind, path, name, label }: Catalogue,
  row: T,
  toRow: (release: BenchmarkRelease) => z.input<T>,
): Endpoint {
  return endpoint({
    method: 'get',
    path: `/${path}`,
    operation: `list${name}s`,
    tag: TAG,
    // Browsers get the page.
    mediaTypes: ['text/html'],
    summary: `All ${label}s, every release`,
    access: signedIn,
    input: NO_INPUT,
    answer: z.array(row),
    handle: async () =>
      shapeReleases(await listReleases(database.read))
        .filter(({ release }) => release.kind === kind)
        .map(toRow),
  })
}

const latestInput = z.object({ query: z.object({ q: searchText.optional() }) })

function listLatest<T extends z.ZodType>(
  { database }: Parts,
  catalogue: Catalogue,
  row: T,
  toRow: (release: Release) => z.input<T>,
): Endpoint {
  const { path, name, label } = catalogue
  return endpoint({
    method: 'get',
    path: `/api/${path}/latest`,
    operation: `listLatest${name}s`,
    tag: TAG,
    summary: `The newest release of each ${label}`,
    access: everyone,
    input: latestInput,
    answer: z.object({ rows: z.array(row) }),
    handle: async ({ input: { query } }) => ({
      rows: search(await listReleases(database.read), catalogue, query.q).map(toRow),
    }),
  })
}

/** The newest releases that contain any of the terms, by title. */
function search(releases: readonly Release[], { kind }: Catalogue, q: string | undefined): readonly Release[] {
  const newest = latestOf(releases.filter((release) => release.kind === kind))
  const sorted = newest.toSorted((a, b) => compareCodeUnits(a.title, b.title) || a.id - b.id)
  const matches = matcherOf(q)
  return sorted.filter(({ name, title, benchmarkId }) => matches([name, title, benchmarkId]))
}

function getSrgStats({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/srgs/{id}/stats',
    operation: 'getSrgStats',
    tag: TAG,
    summary: 'Rules of an SRG by severity, and what is based on it',
    access: signedIn,
    input: z.object({ params: idParams }),
    answer: srgStats,
    handle: async ({ grant: { caller }, input: { params } }) => {
      const counts = await countRules(database.read, SRGS, params.id)
      const usage = await findVisibleUsage(database.read, params.id, caller)
      const components = usage.map(({ id, name, project_id, project_name }) => {
        return { id, name, project_id, project_name }
      })
      return { ...counts, usage: { count: components.length, components } }
    },
  })
}

function getStigStats({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/stigs/{id}/stats',
    operation: 'getStigStats',
    tag: TAG,
    summary: 'Rules of a STIG by severity',
    access: everyone,
    input: z.object({ params: idParams }),
    answer: stigStats,
    handle: ({ input: { params } }) => countRules(database.read, STIGS, params.id),
  })
}

async function countRules(reader: Reader, { kind }: Catalogue, id: number): Promise<z.infer<typeof stigStats>> {
  const row = await reader
    .selectFrom('benchmarks')
    .select(['kind', 'rule_count', 'high_count', 'medium_count', 'low_count'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row?.kind !== kind) throw notFound()
  const severity_counts = { high: row.high_count, medium: row.medium_count, low: row.low_count }
  return { rule_count: row.rule_count, severity_counts }
}
