import type { LookupRecord } from './lookup.ts'

/** The kinds of records that have a page of their own. */
export type DescribedKind = Exclude<LookupRecord['kind'], 'cci' | 'control'> | 'benchmark' | 'rule' | 'cci' | 'control'

/** A short description of a record for the head of its page; other sites show it beside a link. */
export interface DescribedRecord {
  readonly kind: DescribedKind
  /** Its name first: `File Hashing`, `RHEL-09-255045: SSHD must …`. */
  readonly title: string
  /** Without markup; empty where the record has no text. */
  readonly text: string
  /** The canonical path of its page, also if the request used another name. */
  readonly path: string
}
