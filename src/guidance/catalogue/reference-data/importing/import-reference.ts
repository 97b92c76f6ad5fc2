import type { Actor } from '../../../../http/caller.ts'
import type { Database } from '../../../database/database.ts'
import { nameOf } from '../items.ts'
import { readReferenceData } from './read.ts'
import { findReferenceData } from './unpack.ts'
import { storeReferenceData, type StoredReference } from './writer.ts'

/** A version of a list after its import. */
export interface ImportedReference extends StoredReference {
  /** `CCI list 2016-06-27`. */
  readonly name: string
  readonly itemCount: number
}

/** Imports a file that holds reference data, whole or not at all; null for any other file. */
export async function importReferenceData(
  database: Database,
  file: string,
  actor: Actor,
): Promise<ImportedReference | null> {
  const found = await findReferenceData(file)
  if (found === null) return null
  const data = readReferenceData(found)
  const { fileName, digest } = found
  const stored = await database.transact((writer) => storeReferenceData(writer, data, { fileName, digest, actor }))
  return { ...stored, name: nameOf(data), itemCount: data.items.length }
}
