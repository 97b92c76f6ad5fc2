import { z } from 'zod'
import type { OntologyContent } from '../../contracts/sources.ts'
import { having } from '../../platform/threads/protocol.ts'
import { readDump, writeDump } from '../index/dump.ts'
import { mergeParts } from '../index/merge.ts'
import { RecordIndex } from '../index/record-index.ts'
import type { Part, Segment } from '../index/segment.ts'
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
  /** How many segments each index has. */
  counts: z.tuple([z.int(), z.int(), z.int()]),
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
  if (known === undefined || dump === null) return null
  const { position, content, counts } = known
  const segments = [...dump.segments]
  const next = (count: number): RecordIndex => indexOf(segments.splice(0, count))
  const [catalogue, authored, ontology] = [next(counts[0]), next(counts[1]), next(counts[2])]
  return { indexes: { ...emptyIndexes(), catalogue, authored, position }, content, ontology }
}

function indexOf(segments: readonly Segment[]): RecordIndex {
  const index = new RecordIndex()
  for (const segment of segments) index.add(segment)
  return index
}

/** As they are at one moment: to merge them all would take seconds. Only of what is gone nothing is kept. */
function partsOf({ parts }: RecordIndex): readonly Part[] {
  return parts
    .filter(({ live }) => live > 0)
    .map(({ segment, gone }) => ({ segment, gone: gone.slice() }))
}

async function segmentOf(part: Part): Promise<Segment> {
  return part.gone.includes(1) ? mergeParts([part]) : part.segment
}

export async function writeSaved(
  file: string,
  { indexes, content, ontology }: Saved,
): Promise<void> {
  const { catalogue, authored, position } = indexes
  if (position === null) return
  const parts = [catalogue, authored, ontology].map(partsOf)
  const counts = parts.map(({ length }) => length)
  const segments: Segment[] = []
  for (const part of parts.flat()) segments.push(await segmentOf(part))
  await writeDump(file, { about: { position, content, counts }, segments })
}
