import { z } from 'zod'
import { Refusal } from '../../../../platform/errors.ts'
import type { Reader } from '../../../database/transaction.ts'
import { eachDocument, findFirstDocument, listVersions, requireSource, type ReferenceSource } from '../reader.ts'
import { shapeSource, sourceSchema } from '../schemas.ts'
import { cweSchema } from './items.ts'

const cweRow = cweSchema.pick({
  id: true,
  type: true,
  name: true,
  abstraction: true,
  status: true,
  deprecated: true,
  successors: true,
})

type CweRow = z.infer<typeof cweRow>

export const cweListAnswer = z.object({ source: sourceSchema, entries: z.array(cweRow) })
export const cweAnswer = cweSchema.extend({ source: sourceSchema })

/** All entries of a version. */
export async function readCweRows(reader: Reader, source: ReferenceSource): Promise<readonly CweRow[]> {
  const rows: CweRow[] = []
  for await (const document of eachDocument(reader, source)) rows.push(cweRow.parse(document))
  return rows
}

/**
 * Reads an entry of a version, by default of the newest that has it, because the file of a view lacks most entries.
 * Refuses `reference_data_absent`, and `not_found` for an unknown version or entry.
 */
export async function readCweEntry(
  reader: Reader,
  { name, version }: { readonly name: string; readonly version?: string | undefined },
): Promise<z.infer<typeof cweAnswer>> {
  const source = await requireSource(reader, 'cwe', version)
  const id = cweNamed(name)
  const sources = version === undefined ? await listVersions(reader, 'cwe') : [source]
  const found = id === null ? null : await findFirstDocument(reader, sources, id)
  if (found !== null) return { ...cweSchema.parse(found.document), source: shapeSource(found.source) }
  throw new Refusal('not_found', `CWE ${source.version} has no ${id ?? name}.`)
}

/** Returns the id of a weakness for any spelling, such as `cwe-079` or `79`; null for any other text. */
function cweNamed(name: string): string | null {
  const digits = /^(?:CWE-)?0*(\d{1,6})$/i.exec(name.trim())?.[1]
  return digits === undefined ? null : `CWE-${digits}`
}
