import type { Document } from '../../../../http/answer/answers.ts'
import { yieldPieces } from '../../../../platform/concurrency/pieces.ts'
import { inPortions } from '../../../../platform/concurrency/turns.ts'
import { csvPieces, type CsvRow } from '../../../../platform/csv/csv.ts'
import type { Reader } from '../../../database/transaction.ts'
import { latestOf, listReleases, type Release } from '../../benchmarks/releases.ts'
import { findCiting, type CitingRule } from '../../linked-data/countermeasures/citations.ts'
import { findRules } from '../../linked-data/countermeasures/rule-heads.ts'

const HEADER = ['Control', 'Benchmark', 'Version', 'Rule ID', 'STIG ID', 'Severity', 'CCI', 'Title']

/** Rules of one statement, whose number of parameters is limited. */
const BATCH_SIZE = 500

/** A control with the CCIs of its matrix. */
interface MatrixOfControl {
  readonly control: string
  readonly ccis: readonly string[]
}

/**
 * The traceability matrix of a control as CSV: one row for each CCI of the control that a rule cites, of the newest release
 * of each product.
 */
export async function controlMatrix(reader: Reader, { control, ccis }: MatrixOfControl): Promise<Document> {
  const releases = latestOf(await listReleases(reader))
  const orderedReleases = new Map(releases.map((release, order) => [release.id, { release, order }]))
  const cited = (await findCiting(reader, new Set(ccis)))
    .flatMap((rule) => {
      const orderedRelease = orderedReleases.get(rule.benchmarkId)
      return orderedRelease === undefined ? [] : [{ ...rule, ...orderedRelease }]
    })
    .sort((a, b) => a.order - b.order || a.position - b.position)
  return {
    mediaType: 'text/csv; charset=utf-8; header=present',
    fileName: `${control.replaceAll(/[^A-Za-z0-9.-]+/g, '-').replace(/-$/, '')}.csv`,
    body: yieldPieces(matrixPieces(reader, control, cited)),
  }
}

async function* matrixPieces(
  reader: Reader,
  control: string,
  cited: readonly (CitingRule & { readonly release: Release })[],
): AsyncGenerator<string, void> {
  yield* csvPieces([HEADER], { mark: true })
  for await (const portion of inPortions(cited, BATCH_SIZE)) {
    const heads = await findRules(
      reader,
      portion.map(({ id }) => id),
    )
    const byId = new Map(heads.map((head) => [head.id, head]))
    const rows = portion.flatMap(({ id, ccis, release: { benchmarkId, version } }): readonly CsvRow[] => {
      const rule = byId.get(id)
      if (rule === undefined) return []
      const { rule_id, version: stigId, severity, title } = rule
      return [...ccis].sort().map((cci) => [control, benchmarkId, version, rule_id, stigId, severity, cci, title])
    })
    yield* csvPieces(rows, { mark: false })
  }
}
