import { z } from 'zod'
import type { ReferenceRecord } from '../../contracts/search-feed.ts'
import type { OntologyContent } from '../../contracts/sources.ts'
import { objectWith, listOf } from '../../platform/threads/protocol.ts'
import { readDump, writeDump, type Dump } from '../index/dump.ts'
import { mergeParts } from '../index/merge.ts'
import { RecordIndex } from '../index/record-index.ts'
import type { Part, Segment } from '../index/segment.ts'
import { OWNERS_NOT_READ, type GuidanceIndexes } from './index-updater.ts'

/** The saved state for a start. */
export interface SavedState {
  readonly indexes: GuidanceIndexes
  readonly described: DescribedRecords
  /** The index of these records. */
  readonly ontology: RecordIndex
}

/** The release that was served last, and the reference data that was used with it. */
export interface DescribedRecords {
  readonly content: OntologyContent | null
  /** See `SearchFeed.referenceVersion`. */
  readonly referenceVersion: string
  readonly reference: readonly ReferenceRecord[]
}

const about = z.object({
  position: z.object({ sequence: z.number(), mark: z.string() }),
  described: z.object({
    content: z.nullable(objectWith<OntologyContent>('documents', 'links', 'digest')),
    referenceVersion: z.string(),
    reference: listOf<ReferenceRecord>('kind', 'id', 'texts'),
  }),
  /** Number of segments of each index. */
  counts: z.tuple([z.int(), z.int(), z.int()]),
})

export function emptyIndexes(): GuidanceIndexes {
  return {
    catalogue: new RecordIndex(),
    authored: new RecordIndex(),
    owners: OWNERS_NOT_READ,
    position: null,
  }
}

export interface SavedStateResult {
  /** Null if no usable state was saved. */
  readonly saved: SavedState | null
  /** See `ReadDump`. */
  readonly damage: string | null
}

export async function readSavedState(file: string | null): Promise<SavedStateResult> {
  if (file === null) return { saved: null, damage: null }
  const { dump, damage } = await readDump(file)
  return { saved: dump === null ? null : stateInDump(dump), damage }
}

function stateInDump(dump: Dump): SavedState | null {
  const savedAbout = about.safeParse(dump.about).data
  if (savedAbout === undefined) return null
  const { position, described, counts } = savedAbout
  const segments = [...dump.segments]
  const next = (count: number): RecordIndex => indexOf(segments.splice(0, count))
  const [catalogue, authored, ontology] = [next(counts[0]), next(counts[1]), next(counts[2])]
  return { indexes: { ...emptyIndexes(), catalogue, authored, position }, described, ontology }
}

function indexOf(segments: readonly Segment[]): RecordIndex {
  const index = new RecordIndex()
  for (const segment of segments) index.add(segment)
  return index
}

/**
 * Takes the parts as they are, because merging all would take seconds. Only parts without live records are left out.
 */
function partsOf({ parts }: RecordIndex): readonly Part[] {
  return parts.filter(({ live }) => live > 0).map(({ segment, deleted }) => ({ segment, deleted: deleted.slice() }))
}

async function segmentOf(part: Part): Promise<Segment> {
  return part.deleted.includes(1) ? mergeParts([part]) : part.segment
}

export async function writeSavedState(file: string, { indexes, described, ontology }: SavedState): Promise<void> {
  const { catalogue, authored, position } = indexes
  if (position === null) return
  const parts = [catalogue, authored, ontology].map(partsOf)
  const counts = parts.map(({ length }) => length)
  const segments: Segment[] = []
  for (const part of parts.flat()) segments.push(await segmentOf(part))
  await writeDump(file, { about: { position, described, counts }, segments })
}
