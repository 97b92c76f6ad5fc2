import type { RefusalCode } from '../../../platform/errors.ts'
import type { GuideCode } from '../../../wording/guide.ts'

/**
 * The severity of a problem: an `error` means that the file cannot be read, a `warning` that something was read in
 * another way or only in part. `advice` is about the words of a rule.
 */
export const LEVELS = ['error', 'warning', 'advice'] as const

export type Level = (typeof LEVELS)[number]

/** A fault in a file, with its location. Null means unknown, or not in one place. */
export interface Problem {
  readonly level: Level
  /** The code of the refusal, of the warning, or of the rule in the guide. */
  readonly code: RefusalCode | GuideCode | (string & {})
  readonly message: string
  /** The path in a zip and its inner zips. */
  readonly member: string | null
  /** The line of an XML or CSV file, from 1. */
  readonly line: number | null
  /** The row number that a spreadsheet shows, from 1. */
  readonly row: number | null
  /** `B12` */
  readonly cell: string | null
  /** The id of the rule. */
  readonly rule: string | null
  readonly field: string | null
  /** The first words of the passage; empty if the problem is about the whole field. */
  readonly quote: string
  readonly suggestion: string | null
}

/** A document in a file: a benchmark, a sheet, or a component of an archive. */
export interface CheckedDocument {
  readonly kind: 'srg' | 'stig' | 'sheet' | 'component'
  readonly member: string | null
  readonly name: string
  readonly version: string | null
  readonly title: string | null
  readonly rules: number
}

/** The problems of a file in their order in the file. */
export interface FileCheck {
  readonly type: 'xccdf' | 'spreadsheet' | 'archive'
  readonly documents: readonly CheckedDocument[]
  readonly problems: readonly Problem[]
}

const NO_LOCATION = {
  member: null,
  line: null,
  row: null,
  cell: null,
  rule: null,
  field: null,
  quote: '',
  suggestion: null,
}

/** Makes a problem. Parts of the location that are unknown may be left out. */
export function problem(facts: Pick<Problem, 'level' | 'code' | 'message'> & Partial<Problem>): Problem {
  return { ...NO_LOCATION, ...facts }
}
