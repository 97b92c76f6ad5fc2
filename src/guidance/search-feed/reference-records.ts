import type { ReferenceRecord } from '../../contracts/search-feed.ts'
import { eachDocument, usedSources } from '../catalogue/reference-data/reader.ts'
import { summaryOf, type ItemSummary } from '../catalogue/reference-data/summary.ts'
import type { Reader } from '../database/transaction.ts'

/** See `SearchFeed.referenceVersion`. */
export async function findReferenceVersion(reader: Reader): Promise<string> {
  const sources = await usedSources(reader)
  return sources.map(({ kind, digest }) => `${kind} ${digest}`).join('\n')
}

/** See `SearchFeed.referenceRecords`. */
export async function* readReferenceRecords(reader: Reader): AsyncGenerator<ReferenceRecord> {
  const seen = new Set<string>()
  for (const source of await usedSources(reader)) {
    for await (const document of eachDocument(reader, source)) {
      const summary = summaryOf(source.kind, document)
      const name = `${source.kind} ${source.title} ${summary.id}`
      const record = seen.has(name) ? null : searchedRecord(summary)
      seen.add(name)
      if (record !== null) yield record
    }
  }
}

/** Null for items that are not searched: tactics, mitigations, and deprecated attacks and weaknesses. */
function searchedRecord(summary: ItemSummary): ReferenceRecord | null {
  const { kind, id, label, synonyms, tactics, domain, deprecated, texts, path } = summary
  if (kind === 'tactic' || kind === 'resource') return null
  const isAttack = kind === 'offensive-technique' || kind === 'weakness'
  if (isAttack && deprecated) return null
  const tacticIds = tactics.map((tactic) => tactic.id)
  return { kind, id, label, synonyms, tactics: tacticIds, domain, deprecated, texts, path }
}
