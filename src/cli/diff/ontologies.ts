import { join } from 'node:path'
import { compareReleases } from '../../ontology/changes/compare.ts'
import { loadSource } from '../../ontology/changes/load-source.ts'
import { withTemporaryFolder } from '../temporary-folder.ts'
import { withFileName } from '../with-file-name.ts'
import type { ChangedItem, Comparison } from './changes.ts'

type Changes = ReturnType<typeof compareReleases>
type Change = Changes['changes'][number]

/** Compares two releases of the ontology, as `/api/changes/…` does. */
export async function compareOntologies(older: string, newer: string): Promise<Comparison> {
  const changes = await withTemporaryFolder(async (folder) => {
    const load = (file: string, side: string) =>
      withFileName(file, () => loadSource({ file, folder: join(folder, side) }))
    return compareReleases(await load(older, 'older'), await load(newer, 'newer'))
  })
  const { added, removed } = changes.statements
  return {
    from: nameOf(changes.from),
    to: nameOf(changes.to),
    summary: summarise(changes),
    isSame: changes.changes.length + added.length + removed.length === 0,
    items: [
      ...changes.changes.map(itemOf),
      ...removed.map((statement) => statementOf('removed', statement)),
      ...added.map((statement) => statementOf('added', statement)),
    ],
    json: changes,
  }
}

function nameOf({ version, release_date: date }: Changes['from']): string {
  return `ontology ${version} (${date.slice(0, 10)})`
}

function summarise({ counts }: Changes): string {
  const kinds = counts.records.flatMap(({ kind, ...own }) => {
    const numbers = Object.entries(own).filter(([, count]) => count > 0)
    return numbers.length === 0 ? [] : [`${kind}: ${numbers.map(([change, count]) => `${count} ${change}`).join(', ')}`]
  })
  const { added, removed } = counts.statements
  return [...kinds, `statements between records: ${added} added, ${removed} removed`].join('; ')
}

function itemOf(change: Change): ChangedItem {
  const { name, id, label, kind, successors = [] } = change
  const later = successors.map((successor) => successor.name).join(', ')
  return {
    change: change.change,
    names: id === null ? [name] : [name, id],
    title: label ?? '',
    note: later === '' ? kind : `${kind}; successor: ${later}`,
    fields: fieldsOf(change),
  }
}

function fieldsOf({ change, property = change, old, new: now }: Change): ChangedItem['fields'] {
  if (old === undefined && now === undefined) return []
  return [{ field: property, before: linesOf(old), after: linesOf(now) }]
}

function linesOf(values: readonly string[] = []): string {
  return values.join('\n')
}

function statementOf(
  change: string,
  { subject, relation, object }: Changes['statements']['added'][number],
): ChangedItem {
  return { change, names: [subject], title: `${relation} ${object}`, note: 'statement', fields: [] }
}
