import type { z } from 'zod'
import type { Caller } from '../../http/caller.ts'
import type { GuidanceDocuments } from '../full-text/documents.ts'
import type { SearchKind, suggestionSchema, unifiedAnswer } from './unified-schemas.ts'

/** A question; empty lists leave open. */
interface UnifiedRequest {
  readonly text: string
  readonly kinds: readonly SearchKind[]
  readonly severities: readonly string[]
  readonly tactics: readonly string[]
  /** Record ids; null where none are named. */
  readonly benchmarks: readonly number[] | null
  /** Of all releases their record ids; null: the newest of each line. */
  readonly releases: readonly number[] | null
  /** From 1. */
  readonly page: number
  readonly perPage: number
}

/** One search across the ontology and guidance. Nobody finds what they may not read. */
export interface UnifiedSearch {
  /** Refuses with `page_out_of_range`. */
  unified(asker: Caller | null, request: UnifiedRequest): Promise<z.input<typeof unifiedAnswer>>
  /** As somebody types; the best first. */
  suggest(
    asker: Caller | null,
    text: string,
    limit: number,
  ): Promise<readonly z.input<typeof suggestionSchema>[]>
  /** Reads the ontology, so that nobody has to wait for it. */
  prepare(): Promise<void>
}

/** What guidance gives to whoever searches. */
export interface SearchSources {
  readonly guidance: GuidanceDocuments
  /** Short and long forms: `MFA`, `Multi-Factor Authentication`. */
  readonly abbreviations: readonly (readonly [string, string])[]
}
