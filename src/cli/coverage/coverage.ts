import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { UsageRefusal, runCommand, oneOf } from '../../commands/command.ts'
import type { Coverage, CoverageSelection, CoverageSource } from '../../contracts/coverage.ts'
import { CCI_RELATIONS } from '../../contracts/relations.ts'
import { ATTACK_DOMAINS } from '../../contracts/sources.ts'
import { coverageIn } from '../../coverage/coverage.ts'
import { csvOf } from '../../coverage/csv.ts'
import { USUAL_STATUSES } from '../../coverage/query.ts'
import type { ReadOptions } from '../../guidance/catalogue/xccdf/benchmark.ts'
import { findSources } from '../../guidance/coverage/sources.ts'
import { importDocuments } from '../../guidance/interchange/conversion/sources.ts'
import { openProject, withWorkspace, type Workspace } from '../../guidance/interchange/conversion/workspace.ts'
import type { SheetEncoding } from '../../guidance/interchange/spreadsheets/reading/encoding.ts'
import { createLog } from '../../platform/log.ts'
import { encodingOf, kindOf } from '../file-options.ts'
import { withOntology } from '../ontology.ts'
import { deliver, formatOf, OUTPUT_OPTIONS, toJson } from '../output.ts'
import { withTemporaryFolder } from '../temporary-folder.ts'
import { styleOf } from '../terminal.ts'
import { withFileName } from '../with-file-name.ts'
import { listCoverageText } from './list.ts'
import { showCoverage } from './show.ts'

const USAGE = `Usage: parapet coverage FILE... [options]
       parapet coverage --list FILE [FILE...] [options]

Says which techniques and attacks the ontology links to the rules of files: benchmarks (XCCDF, zips of them),
spreadsheets with their SRG, archives. The ontology is the active release of the data folder (SERVICE_DATA_DIR).

With --list, says what covers a list of your own: attacks, techniques that you have deployed, or both. The guidance that
counts is that of the files; without files, the newest releases of all benchmarks in the data folder.

  --json             JSON, also on a terminal
  --format FORMAT    table, json, csv (each path from a rule to an attack), layer (MITRE ATT&CK Navigator) or
                     d3fend-layer (the matrix of techniques in the same format)
  --out FILE         write to this file
  --list FILE        your own list: ids, a CSV, a layer of ATT&CK Navigator or a STIX bundle (table or json only)
  --against FILE     compare with this file; may be given several times. With --list: a second list
  --domain DOMAIN    count only attacks of ${ATTACK_DOMAINS.join(', ')}; may be given several
                     times. A layer has one, by default enterprise-attack
  --relation NAME    count only links of a CCI that have this relation to the technique: ${CCI_RELATIONS.slice(0, -1).join(', ')}
                     or ${CCI_RELATIONS.at(-1)}; may be given several times. Not with --list
  --srg FILE         an SRG that spreadsheets are based on; may be given several times
  --ontology FILE    a file of the ontology, instead of the data folder
  --encoding NAME    utf-8, windows-1252 or utf-16, for CSV files that are not in UTF-8
  --kind KIND        srg or stig, for benchmarks that do not say it
  --version V        the version of benchmarks that have none

Exit status: 0 done, 2 not possible.`

const OPTIONS = {
  ...OUTPUT_OPTIONS,
  list: { type: 'string' },
  against: { type: 'string', multiple: true },
  domain: { type: 'string', multiple: true },
  relation: { type: 'string', multiple: true },
  srg: { type: 'string', multiple: true },
  ontology: { type: 'string' },
  encoding: { type: 'string' },
  kind: { type: 'string' },
  version: { type: 'string' },
} as const

const OPERANDS = { least: 0, most: 100, missing: 'Name a file.' }

const command = { usage: USAGE, options: OPTIONS, operands: OPERANDS, refusedStatus: 2 }

type Format = 'table' | 'json' | 'csv' | 'layer' | 'd3fend-layer'

await runCommand(command, async ({ domain = [], relation = [], srg = [], ...values }, files) => {
  const format = formatOf(values, ['csv', 'layer', 'd3fend-layer'])
  const domains = domain.map((name) => oneOf('--domain', name, ATTACK_DOMAINS))
  const relations = relation.map((name) => oneOf('--relation', name, CCI_RELATIONS))
  const { list, against = [], ontology, version } = values
  const options = { documentType: kindOf(values.kind), version, encoding: encodingOf(values.encoding) }
  if (list === undefined && files.length === 0) throw new UsageRefusal(OPERANDS.missing)
  if (format === 'layer' && domains.length > 1) throw new UsageRefusal('--domain: a layer has one.')
  const text = await withTemporaryFolder(async (folder) =>
    withWorkspace({ folder: join(folder, 'guidance'), log: createLog('silent') }, async (workspace) => {
      const readDocuments = await documentsReader(workspace, srg, options)
      const choice = { file: ontology, folder }
      if (list !== undefined) {
        const named = files.length === 0 ? null : await readDocuments(files)
        return listCoverageText({ list, against, named, domains, relations, ontology: choice }, format)
      }
      const sources = await readDocuments(files)
      const compared = against.length === 0 ? null : await readDocuments(against)
      const selection = { release: null, sources, against: compared, domains, relations }
      return withOntology(choice, async (openOntology) =>
        write(coverageIn(openOntology, openOntology.stored), selection, format),
      )
    }),
  )
  return deliver(text, values)
})

/** Reads files as the documents of a coverage. */
async function documentsReader(
  workspace: Workspace,
  srgs: readonly string[],
  options: ReadOptions & { readonly encoding: SheetEncoding | null },
): Promise<(files: readonly string[]) => Promise<readonly CoverageSource[]>> {
  const grant = await openProject(workspace.database)
  const imported: { readonly id: number }[] = []
  for (const file of srgs)
    imported.push(...(await withFileName(file, () => workspace.importFile(file, { ...options, documentType: 'srg' }))))
  const srgIds = imported.map(({ id }) => id)
  return async (files) => {
    const stig: string[] = []
    const srg: string[] = []
    const component: number[] = []
    for (const file of files) {
      const documents = await withFileName(file, () => importDocuments(workspace, file, { ...options, srgIds, grant }))
      stig.push(...documents.stig)
      srg.push(...documents.srg)
      component.push(...documents.component)
    }
    const names = { stig, srg, component, project: [], status: USUAL_STATUSES }
    return findSources(workspace.database.read, grant.caller, names)
  }
}

async function write(coverage: Coverage, selection: CoverageSelection, format: Format): Promise<string> {
  if (format === 'csv') return (await textOf(csvOf(await coverage.table(selection)))).trimEnd()
  if (format === 'd3fend-layer') return toJson(await coverage.defenseLayer(selection))
  if (format === 'layer') {
    const [domain = 'enterprise-attack'] = selection.domains
    return toJson(await coverage.attackLayer(selection, domain))
  }
  const report = await coverage.report(selection)
  return format === 'json' ? toJson(report) : showCoverage(report, styleOf(process.stdout))
}
