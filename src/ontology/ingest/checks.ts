import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Graph } from '../../graph/graph.ts'
import type { Names } from '../../graph/names.ts'
import { readQuery } from '../../graph/query.ts'
import type { CheckResult } from '../release/manifest.ts'

const FOLDER = new URL('./checks/', import.meta.url)
const EXAMPLES = 5

/** One quality check: a query that returns a row per violation. */
export interface Check {
  readonly name: string
  readonly summary: string
  readonly severity: CheckResult['severity']
  readonly query: ReturnType<typeof readCheckQuery>
}

interface Violation {
  readonly subject: string
  readonly detail?: string
}

/** Checks that every ingest runs. */
export const OWN_CHECKS: readonly Check[] = readChecks(FOLDER)

/** Runs every check; none of them changes anything. */
export async function runChecks(graph: Graph, names: Names): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = []
  for (const check of OWN_CHECKS) {
    const { name, severity, summary } = check
    const violations = await findViolations(graph, names, check)
    const examples = violations
      .slice(0, EXAMPLES)
      .map(({ subject, detail }) => (detail === undefined ? subject : `${subject} (${detail})`))
    results.push({ name, summary, severity, violations: violations.length, examples })
  }
  return results
}

/** The findings of a check, with prefixed names. */
export async function findViolations(graph: Graph, names: Names, { query }: Check): Promise<readonly Violation[]> {
  const rows = await graph.select(query)
  return rows.map(({ subject, detail }) => ({
    subject: names.compact(subject.value),
    ...(detail !== undefined && { detail: names.compact(detail.value) }),
  }))
}

/** The checks of a folder, by name. */
export function readChecks(folder: URL): readonly Check[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.rq'))
  return files.sort().map((file) => readCheck(new URL(encodeURIComponent(file), folder)))
}

export function readCheck(file: URL): Check {
  const header = readFileSync(file, 'utf8')
  return {
    name: basename(fileURLToPath(file), '.rq'),
    summary: /^#\+ summary: (.*)$/m.exec(header)?.[1] ?? '',
    severity: /^#\+ severity: error$/m.test(header) ? 'error' : 'warning',
    query: readCheckQuery(file),
  }
}

function readCheckQuery(url: URL) {
  return readQuery(url, ['subject'], ['detail'])
}
