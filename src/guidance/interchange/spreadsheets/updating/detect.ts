import { z } from 'zod'
import { signedIn } from '../../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../../http/endpoint.ts'
import { numbersOf } from '../../../catalogue/benchmarks/releases.ts'
import type { Reader } from '../../../database/transaction.ts'
import { nameSome } from '../../../parts/name-some.ts'
import type { Parts } from '../../../parts/parts.ts'
import { sheetEncoding } from '../reading/encoding.ts'
import { readSpreadsheet } from '../reading/read.ts'
import { unusable, withErrorMember } from '../reading/refusals.ts'

/** More requirements than any SRG has. */
const MAX_IDS = 5000

/** Finds the SRG from which a spreadsheet was made. */
export function detectSrgEndpoint({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/components/detect_srg',
    operation: 'detectSrg',
    tag: 'Spreadsheets',
    summary: 'The newest SRG that has all requirements of a spreadsheet (.xlsx or CSV)',
    access: signedIn,
    upload: true,
    input: z.object({ body: z.object({ encoding: sheetEncoding.optional() }) }),
    answer: z.object({ id: z.int(), srg_id: z.string(), title: z.string(), version: z.string() }),
    handle: async ({ grant, upload, input: { body } }) => {
      const { records } = await readSpreadsheet(upload, grant.caller, body.encoding)
      const ids = new Set(records.map(({ values }) => values.srg_id?.trim() ?? ''))
      ids.delete('')
      try {
        return await detect(database.read, [...ids])
      } catch (error) {
        throw withErrorMember(error)
      }
    },
  })
}

interface Candidate {
  readonly id: number
  readonly benchmark_id: string
  readonly title: string
  readonly version: string
  /** The number of ids in the sheet that the SRG has. */
  readonly matchCount: number
}

async function detect(
  reader: Reader,
  ids: readonly string[],
): Promise<{ id: number; srg_id: string; title: string; version: string }> {
  if (ids.length === 0) throw unusable('The spreadsheet has no SRGIDs.')
  if (ids.length > MAX_IDS) throw unusable('The spreadsheet has more SRGIDs than any SRG.')
  const candidates = await findCandidates(reader, ids)
  const completeMatches = candidates.filter(({ matchCount }) => matchCount === ids.length)
  const lines = new Set(completeMatches.map(({ benchmark_id }) => benchmark_id))
  if (lines.size > 1) throw unusable(`Several SRGs have all SRGIDs: ${nameSome([...lines].sort())}.`)
  const [newest] = completeMatches.sort(byRelease)
  if (newest === undefined) throw unusable(noneOf(candidates, ids.length))
  const { id, benchmark_id: srg_id, title, version } = newest
  return { id, srg_id, title, version }
}

/** Leaves out core SRGs, because no STIG is made from them. */
function findCandidates(reader: Reader, ids: readonly string[]): Promise<Candidate[]> {
  return reader
    .selectFrom('benchmark_rules as rule')
    .innerJoin('benchmarks', 'benchmarks.id', 'rule.benchmark_id')
    .select(['benchmarks.id', 'benchmarks.benchmark_id', 'benchmarks.title', 'benchmarks.version'])
    .select((is) => is.fn.count<number>('rule.version').distinct().as('matchCount'))
    .where('benchmarks.kind', '=', 'srg')
    .where('benchmarks.core', '=', 0)
    .where('rule.version', 'in', ids)
    .groupBy(['benchmarks.id', 'benchmarks.benchmark_id'])
    .groupBy(['benchmarks.title', 'benchmarks.version'])
    .execute()
}

/** Compares releases, newest first. */
function byRelease(a: Candidate, b: Candidate): number {
  const [left, right] = [numbersOf(a.version), numbersOf(b.version)]
  return right.major - left.major || right.minor - left.minor || right.patch - left.patch
}

function noneOf(candidates: readonly Candidate[], idCount: number): string {
  const [best] = [...candidates].sort((a, b) => b.matchCount - a.matchCount || byRelease(a, b))
  if (best === undefined) return 'No SRG in the catalogue has any of the SRGIDs.'
  const { benchmark_id, version, matchCount } = best
  return `No SRG has all ${idCount} SRGIDs; ${benchmark_id} ${version} has ${matchCount} of them.`
}
