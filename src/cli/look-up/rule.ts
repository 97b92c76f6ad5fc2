import { runCommand } from '../../commands/command.ts'
import { formatTable } from '../../commands/table.ts'
import { OntologyLinks } from '../../guidance/catalogue/linked-data/countermeasures/ontology-links.ts'
import { readRuleDetail } from '../../guidance/catalogue/open/documents.ts'
import {
  findNamedRule,
  findProducts,
  findReleasesWithRule,
  releaseNamed,
  type ReleaseOfProduct,
} from '../../guidance/catalogue/open/find.ts'
import { findCciList } from '../../guidance/catalogue/open/rule-ccis.ts'
import type { Database } from '../../guidance/database/database.ts'
import { Refusal } from '../../platform/errors.ts'
import { createLog } from '../../platform/log.ts'
import { kindOf } from '../file-options.ts'
import { withOwnOntology } from '../ontology.ts'
import { deliver, formatOf, OUTPUT_OPTIONS, toJson } from '../output.ts'
import { withTemporaryFolder } from '../temporary-folder.ts'
import { escapeControls, type Style, styleOf } from '../terminal.ts'
import { withGuidance } from './guidance.ts'

type RuleDetail = Awaited<ReturnType<typeof readRuleDetail>>

const USAGE = `Usage: parapet rule ID [options]

Shows a rule or a requirement with its texts, the definitions of its CCIs and the techniques that they lead to, by its
rule id (SV-257777r991589_rule, SV-257777), its group id (V-257777) or its STIG id (RHEL-09-211010). It is looked for in
the newest releases of the data folder (SERVICE_DATA_DIR), or in files. JSON is the document that the service has.

  --file FILE           look in this file (XCCDF, or a zip); may be given several times
  --benchmark ID        only in this benchmark, such as RHEL_9_STIG
  --release V           of the benchmark, such as V2R6; default: the newest
  --json                JSON, also on a terminal
  --format FORMAT       table or json
  --out FILE            write to this file
  --kind KIND           srg or stig, for files that do not say it

Exit status: 0 found, 2 not.`

const OPTIONS = {
  ...OUTPUT_OPTIONS,
  file: { type: 'string', multiple: true },
  benchmark: { type: 'string' },
  release: { type: 'string' },
  kind: { type: 'string' },
} as const

const OPERANDS = { least: 1, most: 1, missing: 'Name one rule.' }

const command = { usage: USAGE, options: OPTIONS, operands: OPERANDS, refusedStatus: 2 }

await runCommand(command, async ({ file: files = [], benchmark, release, kind, ...values }, [name = '']) => {
  const format = formatOf(values, [])
  const options = { documentType: kindOf(kind), version: undefined }
  const detail = await withTemporaryFolder(async (folder) =>
    withGuidance({ files, folder, ...options }, ({ database }) => find(database, name, { benchmark, release })),
  )
  const text = format === 'json' ? toJson(detail) : showRule(detail, styleOf(process.stdout))
  return deliver(text, values)
})

interface ReleaseChoice {
  readonly benchmark: string | undefined
  readonly release: string | undefined
}

async function find(database: Database, name: string, choice: ReleaseChoice) {
  const reader = database.read
  const releases = await releasesOf(database, choice)
  const [only, ...otherReleases] = await findReleasesWithRule(reader, releases, name)
  if (only === undefined) throw new Refusal('not_found', `${describeReleases(releases)} no rule ${name}.`)
  if (otherReleases.length > 0) {
    const ids = [only, ...otherReleases].map((match) => match.release.benchmarkId)
    throw new Refusal('usage', `Several benchmarks have a rule ${name}: ${ids.join(', ')}. Name one with --benchmark.`)
  }
  const rule = await findNamedRule(reader, only.release, name)
  const cciList = await findCciList(reader)
  return withOwnOntology(async (ontology) => {
    const links = await new OntologyLinks({ ontology, log: createLog('silent') }).of(null)
    return readRuleDetail(only, rule, { reader, links, cciList })
  })
}

/** The newest release of each product, or the release that was chosen. */
async function releasesOf(
  { read }: Database,
  { benchmark, release }: ReleaseChoice,
): Promise<readonly ReleaseOfProduct[]> {
  const products = await findProducts(read)
  return products.flatMap((product) => {
    const { newest, releases } = product
    const isChosen =
      benchmark === undefined ||
      releases.some((candidate) => [candidate.line, candidate.benchmarkId].includes(benchmark))
    if (!isChosen) return []
    const chosen = release === undefined ? newest : releaseNamed(product, benchmark ?? newest.line, release)
    return chosen === null ? [] : [{ ...product, release: chosen }]
  })
}

function describeReleases(releases: readonly ReleaseOfProduct[]): string {
  const [first, ...olderReleases] = releases
  if (first === undefined) return 'There is no such benchmark, and so'
  const { benchmarkId, version } = first.release
  return olderReleases.length === 0
    ? `${benchmarkId} ${version} has`
    : `The newest releases of ${releases.length} benchmarks have`
}

/** Shows a rule on a terminal with all its texts, which are never shortened. */
function showRule({ release, rule, satisfies, ccis, links }: RuleDetail, style: Style): string {
  const { version, rule_id, group_id, requirement, severity, title } = rule
  const newer = release.newest.version === release.version ? '' : ` (the newest is ${release.newest.version})`
  const heading = (name: string): string => style.yellow(name)
  const texts: readonly (readonly [string, string | null])[] = [
    ['Discussion', rule.vuln_discussion],
    ...rule.checks.map(({ content }): [string, string | null] => ['Check', content]),
    ...rule.fixes.map(({ text }): [string, string | null] => ['Fix', text]),
  ]
  const techniques = new Map(links.map(({ technique }) => [technique.iri, technique]))
  return [
    `${style.bold(escapeControls(`${version ?? rule_id}: ${title}`))}\n${release.benchmark_id} ${release.version}${newer}`,
    formatTable(
      ['rule', 'group', 'requirement', 'severity'],
      [[rule_id, group_id ?? '', requirement ?? '', severity].map(escapeControls)],
    ),
    ...texts.flatMap(([name, text]) => (text === null ? [] : [`${heading(name)}\n${escapeControls(text)}`])),
    ...(ccis.length === 0
      ? []
      : [`${heading('CCIs')}\n${ccis.map((cci) => escapeControls(`${cci.id}${definitionOf(cci)}`)).join('\n')}`]),
    ...(satisfies.length === 0 ? [] : [`${heading('Satisfies')}\n${escapeControls(satisfies.join(', '))}`]),
    ...(techniques.size === 0
      ? []
      : [
          `${heading('Techniques that the CCIs lead to')}\n${[...techniques.values()].map(({ label }) => label).join(', ')}`,
        ]),
  ].join('\n\n')
}

function definitionOf({ definition }: RuleDetail['ccis'][number]): string {
  return definition === null ? '' : `: ${definition}`
}
