import type { z } from 'zod'
import { compareCodeUnits } from '../../../graph/term.ts'
import type { Reader } from '../../database/transaction.ts'
import { findBenchmark, findWarnings } from '../benchmarks/reader.ts'
import { findKnownRequirements } from '../benchmarks/requirement-endpoint.ts'
import type { ControlLinks } from '../linked-data/countermeasures/control-links.ts'
import { nistControlsOf, shapeLinks } from '../linked-data/countermeasures/links.ts'
import type { ReferenceSource } from '../reference-data/reader.ts'
import type { Rule } from '../xccdf/benchmark.ts'
import type { Product, ReleaseOfProduct } from './find.ts'
import { readRuleCcis } from './rule-ccis.ts'
import type { benchmarkListSchema, releaseDetailSchema, ruleDetailSchema } from './schemas.ts'
import { ccisOf, shapeListed, shapeNewest, shapeRelease, shapeRule, shapeWhole } from './shape.ts'

/** Finds the list of further requirements at the end of a discussion. It may have several lines. */
const SENTENCE = /^[ \t]*Satisfies:((?:.|\n(?![ \t]*\n))*)/im

const REQUIREMENT = /\bSRG-[A-Z0-9]+(?:-[A-Z0-9]+)+/gi

/** Products with their newest releases. */
export function shapeList(products: readonly Product[], sort: 'title' | 'date'): z.infer<typeof benchmarkListSchema> {
  const sorted = products.toSorted(sort === 'date' ? byDate : byTitle)
  return { benchmarks: sorted.map(({ newest, releases }) => shapeListed(newest, releases)) }
}

function byTitle({ newest: a }: Product, { newest: b }: Product): number {
  return compareCodeUnits(a.title, b.title) || compareCodeUnits(a.benchmarkId, b.benchmarkId)
}

/** A release without a date comes last. */
function byDate(a: Product, b: Product): number {
  return compareCodeUnits(b.newest.releaseDate ?? '', a.newest.releaseDate ?? '') || byTitle(a, b)
}

/** The data that the links of a rule come from. */
export interface LinkSources {
  readonly reader: Reader
  /** The ontology; null while there is no release of it. */
  readonly links: ControlLinks | null
  /** Null where no CCI list is loaded. */
  readonly cciList: ReferenceSource | null
}

/** Reads a rule with its release, the definitions of its CCIs, and its links. */
export async function readRuleDetail(
  { release, newest }: Pick<ReleaseOfProduct, 'release' | 'newest'>,
  rule: Rule,
  { reader, links, cciList }: LinkSources,
): Promise<z.infer<typeof ruleDetailSchema>> {
  const shaped = shapeRule(release, rule)
  const satisfies = satisfiedIn(shaped.vuln_discussion, shaped.requirement)
  const requirements = shaped.requirement === null ? satisfies : [shaped.requirement, ...satisfies]
  return {
    release: { ...shapeRelease(release), newest: shapeNewest(newest) },
    rule: shaped,
    satisfies,
    known_requirements: [...(await findKnownRequirements(reader, requirements))],
    ...(await readRuleCcis(reader, rule, cciList)),
    ...linkRule(rule, links),
  }
}

/** Finds the techniques linked to a rule by its CCIs; `ontology` is null while there is no release. */
function linkRule(
  rule: Pick<Rule, 'ruleId' | 'idents'>,
  ontology: ControlLinks | null,
): Pick<z.infer<typeof ruleDetailSchema>, 'ontology' | 'links'> {
  if (ontology === null) return { ontology: null, links: [] }
  const paths = ccisOf(rule).flatMap((cci) => ontology.from(cci))
  const nist = nistControlsOf(
    ontology,
    paths.map(({ technique }) => technique.iri),
  )
  const { version, digest } = ontology
  return { ontology: { version, digest }, links: shapeLinks(rule.ruleId, paths, nist) }
}

/**
 * Returns the further requirements that a discussion names (`Satisfies: SRG-OS-000125-GPOS-00065, …`), without the
 * rule's own.
 */
function satisfiedIn(discussion: string | null, name: string | null): string[] {
  const [, listed = ''] = SENTENCE.exec(discussion ?? '') ?? []
  const requirements = (listed.match(REQUIREMENT) ?? []).map((id) => id.toUpperCase())
  return [...new Set(requirements)].filter((id) => id !== name)
}

/** A release with all its rules. */
export async function readWhole(
  reader: Reader,
  release: ReleaseOfProduct,
): Promise<z.infer<typeof releaseDetailSchema>> {
  const { id } = release.release
  return shapeWhole({
    ...release,
    benchmark: await findBenchmark(reader, id),
    warnings: await findWarnings(reader, id),
  })
}
