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
import { shapeReleases, srgRowOf, stigRowOf } from './shape.ts'
import { findVisibleUsage } from './usage.ts'

const TAG = 'Catalogue'

/** Lists and counts of the catalogue. */
export function catalogueListEndpoints(parts: Parts): readonly Endpoint[] {
  return [
    listSrgs(parts),
    listStigs(parts),
    listLatestSrgs(parts),
    listLatestStigs(parts),
    getSrgStats(parts),
    getStigStats(parts),
  ]
}

function listSrgs({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/srgs',
    operation: 'listSrgs',
    tag: TAG,
    // Browsers get the page.
    mediaTypes: ['text/html'],
    summary: 'All SRGs, every release',
    access: signedIn,
    input: NO_INPUT,
    answer: z.array(srgRow),
    handle: async () =>
      shapeReleases(await listReleases(database.read))
        .filter(({ release }) => release.kind === 'srg')
        .map(srgRowOf),
  })
}

function listStigs({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/stigs',
    operation: 'listStigs',
    tag: TAG,
    // Browsers get the page.
    mediaTypes: ['text/html'],
    summary: 'All STIGs, every release',
    access: signedIn,
    input: NO_INPUT,
    answer: z.array(stigRow),
    handle: async () =>
      shapeReleases(await listReleases(database.read))
        .filter(({ release }) => release.kind === 'stig')
        .map(stigRowOf),
  })
}

const latestInput = z.object({ query: z.object({ q: searchText.optional() }) })

function listLatestSrgs({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/srgs/latest',
    operation: 'listLatestSrgs',
    tag: TAG,
    summary: 'The newest release of each SRG',
    access: everyone,
    input: latestInput,
    answer: z.object({ rows: z.array(srgLatest) }),
    handle: async ({ input: { query } }) => {
      const releases = search(await listReleases(database.read), SRGS, query.q)
      return {
        rows: releases.map(({ id, benchmarkId: srg_id, title, version, name }) => {
          return { id, srg_id, title, version, name }
        }),
      }
    },
  })
}

function listLatestStigs({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/stigs/latest',
    operation: 'listLatestStigs',
    tag: TAG,
    summary: 'The newest release of each STIG',
    access: everyone,
    input: latestInput,
    answer: z.object({ rows: z.array(stigLatest) }),
    handle: async ({ input: { query } }) => {
      const releases = search(await listReleases(database.read), STIGS, query.q)
      return {
        rows: releases.map(({ id, benchmarkId: stig_id, title, version, name }) => {
          return { id, stig_id, title, version, name }
        }),
      }
    },
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
