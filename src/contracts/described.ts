import type { LookupRecord } from './lookup.ts'

/** The kinds of records that pages show one of. */
export type DescribedKind = Exclude<LookupRecord['kind'], 'cci' | 'control'> | 'benchmark' | 'rule' | 'cci' | 'control'

/** A record in few words, for the head of its page: other sites show it beside a link. */
export interface DescribedRecord {
  readonly kind: DescribedKind
  /** Its name first: `File Hashing`, `RHEL-09-255045: SSHD must …`. */
  readonly title: string
  /** Without markup; empty where the record has no text. */
  readonly text: string
  /** The address of the record, whichever of its names was asked for. */
  readonly path: string
}
