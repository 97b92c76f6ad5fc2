import { z } from 'zod'
import type { OntologyContent } from '../../contracts/sources.ts'
import { having } from '../../platform/threads/protocol.ts'
import { readDump, writeDump } from '../index/dump.ts'
import { mergeParts } from '../index/merge.ts'
import { RecordIndex } from '../index/record-index.ts'
import { NOT_READ, type FollowedIndexes } from './follow.ts'

/** What a start can begin with. */
export interface Saved {
  readonly indexes: FollowedIndexes
  /** The release that was served last, and its records. */
  readonly content: OntologyContent | null
  readonly ontology: RecordIndex
}

const about = z.object({
  position: z.object({ sequence: z.number(), mark: z.string() }),
  content: z.nullable(having<OntologyContent>('documents', 'links', 'digest')),
})

export function emptyIndexes(): FollowedIndexes {
  return {
    ...{ catalogue: new RecordIndex(), authored: new RecordIndex() },
    ...{ owners: NOT_READ, position: null },
  }
}

/** Null where nothing was saved, or nothing that can be used. */
export async function readSaved(file: string | null): Promise<Saved | null> {
  const dump = file === null ? null : await readDump(file)
  const known = about.safeParse(dump?.about).data
  const [catalogue, authored, ontology] = dump?.segments ?? []
  if (known === undefined || catalogue === undefined || authored === undefined) return null
  if (ontology === undefined) return null
  const { position, content } = known
  return {
    indexes: {
      ...emptyIndexes(),
      catalogue: indexOf(catalogue),
      authored: indexOf(authored),
      position,
    },
    ...{ content, ontology: indexOf(ontology) },
  }
}

function indexOf(segment: Parameters<RecordIndex['add']>[0]): RecordIndex {
  const index = new RecordIndex()
  index.add(segment)
  return index
}

export async function writeSaved(
  file: string,
  { indexes, content, ontology }: Saved,
): Promise<void> {
  const { catalogue, authored, position } = indexes
  if (position === null) return
  const segments = [catalogue, authored, ontology].map(({ parts }) => mergeParts(parts))
  await writeDump(file, { about: { position, content }, segments })
}
