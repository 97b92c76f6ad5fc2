import { UsageRefusal, runCommand } from '../../commands/command.ts'
import { formatTable } from '../../commands/table.ts'
import type { LookupRecord } from '../../contracts/lookup.ts'
import { Refusal } from '../../platform/errors.ts'
import { withOntology, type Ontology } from '../ontology.ts'
import { deliver, formatOf, OUTPUT_OPTIONS, toJson } from '../output.ts'
import { withTemporaryFolder } from '../temporary-folder.ts'
import { styleOf } from '../terminal.ts'

const USAGE = `Usage: parapet techniques --for NAME [options]

Lists the techniques that counter an attack (T1110) or a weakness (CWE-79), or defend an artifact (d3f:File), and why.
The ontology is the active release of the data folder (SERVICE_DATA_DIR). JSON is the document that the service has for
the record.

  --for NAME         an identifier, a prefixed name, or a label
  --json             JSON, also on a terminal
  --format FORMAT    table or json
  --out FILE         write to this file
  --ontology FILE    a file of the ontology, instead of the data folder

Exit status: 0 done, 2 not possible, such as an unknown name.`

const OPTIONS = {
  ...OUTPUT_OPTIONS,
  for: { type: 'string' },
  ontology: { type: 'string' },
} as const

const command = { usage: USAGE, options: OPTIONS, refusedStatus: 2 }

await runCommand(command, async ({ for: name, ontology, ...values }) => {
  if (name === undefined) throw new UsageRefusal('Name an attack, a weakness or an artifact with --for.')
  const format = formatOf(values, [])
  const text = await withTemporaryFolder(async (folder) =>
    withOntology({ file: ontology, folder }, async (openOntology) => {
      const { record, version } = await lookUp(openOntology, name)
      if (format === 'table') return show(record, version, openOntology)
      const document: unknown = JSON.parse((await openOntology.readDocument(record.path, version)).toString('utf8'))
      return toJson(document)
    }),
  )
  return deliver(text, values)
})

async function lookUp(ontology: Ontology, name: string) {
  const { found, version } = await ontology.lookUp([name])
  const [first] = found
  if (first !== null && first !== undefined) return { record: first.record, version }
  const [similar = []] = await ontology.findSimilarNames([name])
  const hint = similar.length === 0 ? '' : ` The most similar names are: ${similar.join(', ')}.`
  throw new Refusal('subject_not_found', `The release ${version} has no record called ${name}.${hint}`)
}

async function show({ iri, id, name, label }: LookupRecord, version: string, ontology: Ontology): Promise<string> {
  const style = styleOf(process.stdout)
  const head = style.bold(`${id ?? name} ${label} (ontology ${version})`)
  const defenses = await ontology.defenses([iri])
  const { documents } = await ontology.content()
  const techniques = new Map(documents.map((document) => [document.iri, document]))
  const rows = new Map(
    defenses.map(({ technique, relation, artifact }) => {
      const document = techniques.get(technique)
      const tactics = document?.tactics.map((tactic) => tactic.label).join(', ') ?? ''
      const row = [document?.id ?? technique, document?.label ?? '', tactics, `${relation} ${artifact.label}`]
      return [row.join('\n'), row]
    }),
  )
  if (rows.size === 0) return `${head}\n\nNo technique of the release defends it.`
  return `${head}\n\n${formatTable(['technique', 'label', 'tactic', 'because it'], [...rows.values()])}`
}
