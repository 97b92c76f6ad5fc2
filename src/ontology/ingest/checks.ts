import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Graph } from '../../graph/graph.ts'
import type { Names } from '../../graph/names.ts'
import { readQuery } from '../../graph/query.ts'
import type { CheckResult } from '../release/manifest.ts'

const FOLDER = new URL('./checks/', import.meta.url)
const EXAMPLES = 5

/** One quality check: a query that returns a row per violation. */
interface Check {
  readonly name: string
  readonly summary: string
  readonly severity: CheckResult['severity']
  readonly query: ReturnType<typeof readCheckQuery>
}

const CHECKS: readonly Check[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.rq'))
  .sort()
  .map(readCheck)

/** Runs every check; none of them changes anything. */
export async function runChecks(graph: Graph, names: Names): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = []
  for (const { name, severity, summary, query } of CHECKS) {
    const rows = await graph.select(query)
    const examples = rows.slice(0, EXAMPLES).map(({ subject, detail }) => {
      const where = names.compact(subject.value)
      return detail === undefined ? where : `${where} (${names.compact(detail.value)})`
    })
    results.push({ name, summary, severity, violations: rows.length, examples })
  }
  return results
}

function readCheck(file: string): Check {
  const url = new URL(file, FOLDER)
  const header = readFileSync(url, 'utf8')
  return {
    name: basename(file, '.rq'),
    summary: /^#\+ summary: (.*)$/m.exec(header)?.[1] ?? '',
    severity: /^#\+ severity: error$/m.test(header) ? 'error' : 'warning',
    query: readCheckQuery(url),
  }
}

function readCheckQuery(url: URL) {
  return readQuery(url, ['subject'], ['detail'])
}
