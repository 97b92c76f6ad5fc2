import type { RefusalCode } from '../../../platform/errors.ts'
import type { GuideCode } from '../../../wording/guide.ts'

/**
 * How bad a problem is: an `error` means that the file cannot be read, a `warning` that something was read differently
 * or only in part; `advice` is about the words of a rule.
 */
export const LEVELS = ['error', 'warning', 'advice'] as const

export type Level = (typeof LEVELS)[number]

/** Something that is wrong in a file, and where. Null: unknown, or not of one place. */
export interface Problem {
  readonly level: Level
  /** The code of the refusal, of the warning, or of the rule of the guide. */
  readonly code: RefusalCode | GuideCode | (string & {})
  readonly message: string
  /** The path in a zip and its inner zips. */
  readonly member: string | null
  /** From 1: of an XML or CSV file. */
  readonly line: number | null
  /** The row that people see in a spreadsheet, from 1. */
  readonly row: number | null
  /** `B12` */
  readonly cell: string | null
  /** The id of the rule. */
  readonly rule: string | null
  readonly field: string | null
  /** The first words of the passage; empty if it is about the whole field. */
  readonly quote: string
  readonly suggestion: string | null
}

/** A document of a file: a benchmark, a sheet, or a component of an archive. */
export interface CheckedDocument {
  readonly kind: 'srg' | 'stig' | 'sheet' | 'component'
  readonly member: string | null
  readonly name: string
  readonly version: string | null
  readonly title: string | null
  readonly rules: number
}

/** The problems of a file, in its order. */
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

/** A problem without the parts of its place that are unknown. */
export function problem(facts: Pick<Problem, 'level' | 'code' | 'message'> & Partial<Problem>): Problem {
  return { ...NO_LOCATION, ...facts }
}
