import type { DISCUSSION_FLAGS, DISCUSSION_TEXTS } from '../../../tables/field-lists.ts'
import type { Severity } from '../../../tables/severities.ts'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'

/**
 * A benchmark as its XCCDF file states it (NIST IR 7275, XCCDF 1.1.4 and 1.2). Texts are as in the XML: entities
 * decoded once, line ends as LF, otherwise unchanged, also where the source is damaged. Only in titles are blanks
 * trimmed, and runs of blanks one space.
 */
export interface Benchmark {
  readonly xccdf: '1.1' | '1.2'
  readonly kind: BenchmarkKind
  /** `Benchmark/@id`; the same for all releases of a product, unless it is renamed. */
  readonly benchmarkId: string
  readonly title: string
  /** `V{version}R{release}`; a draft keeps the dot of its release, as in `V1R0.1`. */
  readonly version: string
  /** YYYY-MM-DD, from `Benchmark Date:` in the release information. */
  readonly releaseDate: string | null
  /** First `status` and its date, such as `accepted`, `2025-12-11`. */
  readonly status: string | null
  readonly statusDate: string | null
  readonly description: string | null
  readonly language: string | null
  readonly publisher: string | null
  readonly source: string | null
  /** In document order. */
  readonly rules: readonly Rule[]
}

/** A benchmark without its rules, which may be many. */
export type BenchmarkHead = Omit<Benchmark, 'rules'>

export interface Rule {
  /** `Rule/@id`, such as `SV-257777r991589_rule`; unique within a benchmark. */
  readonly ruleId: string
  /** `Group/@id`, such as `V-257777`; null for a rule outside groups. */
  readonly groupId: string | null
  /** `Group/title`; in a STIG the requirement of the SRG, such as `SRG-OS-000480-GPOS-00227`. */
  readonly groupTitle: string | null
  /** First `Rule/version`: the STIG id (`RHEL-09-211010`), in an SRG the requirement's id. */
  readonly version: string | null
  readonly title: string
  /** `unknown` and `info` are stored unchanged; a missing severity becomes `medium`, with a warning. */
  readonly severity: Severity
  /** `Rule/@weight` as written; `10.0` by default. */
  readonly weight: string
  readonly status: string | null
  readonly discussion: Discussion
  readonly checks: readonly Check[]
  readonly fixes: readonly Fix[]
  /** In document order, without repetition. */
  readonly idents: readonly Ident[]
  readonly references: readonly Reference[]
}

export interface SeverityCounts {
  readonly high: number
  readonly medium: number
  readonly low: number
}

/**
 * Tags that DISA writes into `Rule/description`, and texts of elements of the rule. Without tags, the whole description
 * is the discussion. A truth value is null where it is blank or absent.
 */
export type Discussion = Readonly<
  Record<(typeof DISCUSSION_TEXTS)[number], string | null> & Record<(typeof DISCUSSION_FLAGS)[number], boolean | null>
>

export interface Check {
  readonly system: string | null
  readonly contentRefName: string | null
  readonly contentRefHref: string | null
  /** Null if there is only a reference. */
  readonly content: string | null
}

/** A `fixtext` with the `fix` that it refers to; either may be missing. */
export interface Fix {
  readonly fixref: string | null
  readonly fixId: string | null
  readonly text: string | null
}

export interface Ident {
  /** Such as `http://cyber.mil/cci`, `http://cyber.mil/legacy`. */
  readonly system: string
  readonly value: string
}

/** Dublin Core elements of a `reference`; those that are absent are null. */
export interface Reference {
  readonly href: string | null
  readonly title: string | null
  readonly publisher: string | null
  readonly type: string | null
  readonly subject: string | null
  readonly identifier: string | null
}

/** A problem in a file that was accepted nevertheless. */
export interface ReadWarning {
  /** Such as `severity_missing`; stable. */
  readonly code: string
  /** The rule's id, or an element such as `Benchmark/plain-text`. */
  readonly where: string
  readonly message: string
}

export interface ReadBenchmark {
  readonly benchmark: Benchmark
  readonly warnings: readonly ReadWarning[]
}

/** The uploader states these values when the file does not. */
export interface ReadOptions {
  /** Needed for publishers other than DISA, whose files do not state it. */
  readonly documentType?: BenchmarkKind | undefined
  /** Used if no version can be derived. */
  readonly version?: string | undefined
}
