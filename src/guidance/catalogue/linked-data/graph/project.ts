import type { BenchmarkHead } from '../../xccdf/benchmark.ts'
import type { RuleInGraph } from './catalogue-source.ts'
import type { GuidanceTerm } from './guidance-terms.ts'
import type { Iris } from './iris.ts'
import { QuadWriter } from './quads.ts'
import { datatypes, dc, dcterms, schema, skos } from './terms.ts'

/** Some tools write several CCIs into one ident. */
const CCI = /\bCCI-\d{6}\b/g

/** The CCIs that an ident names. */
export function ccisIn(ident: string): readonly string[] {
  return ident.match(CCI) ?? []
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** The state while one benchmark is written. */
interface Projection {
  readonly benchmark: BenchmarkHead
  readonly iris: Iris
  readonly iri: string
  readonly out: QuadWriter
  readonly term: (name: GuidanceTerm) => string
  /** The CCIs and requirements that have been described. */
  readonly introduced: Set<string>
}

/**
 * Writes a benchmark as N-Quads without blank nodes, in the named graph with its IRI. Takes the rules in order, in
 * portions of any size, and returns the statements of each portion; the first one includes the head. Equal benchmarks
 * give equal text. Texts of rules, references, and identifiers other than CCIs and legacy ids are left out.
 */
export function projector(benchmark: BenchmarkHead, iris: Iris): (rules: readonly RuleInGraph[]) => string {
  const iri = iris.benchmark(benchmark)
  const out = new QuadWriter(iri)
  const term = (name: GuidanceTerm): string => iris.namespace + name
  const projection = { benchmark, iris, iri, out, term, introduced: new Set<string>() }
  let position = 0
  projectHead(projection)
  return (rules) => {
    for (const rule of rules) {
      position += 1
      projectRule(projection, rule, position)
    }
    return out.take()
  }
}

function projectHead({ benchmark, iri, out, term }: Projection): void {
  const { kind, releaseDate } = benchmark
  const isGuide = kind === 'srg'
  out.type(iri, term('Benchmark'))
  out.type(iri, term(isGuide ? 'SecurityRequirementsGuide' : 'SecurityTechnicalImplementationGuide'))
  out.text(iri, dcterms.identifier, benchmark.benchmarkId)
  out.text(iri, schema.version, benchmark.version)
  out.text(iri, dcterms.title, benchmark.title)
  out.text(iri, dcterms.description, benchmark.description)
  if (releaseDate !== null && DAY.test(releaseDate))
    out.typed(iri, dcterms.issued, { lexical: releaseDate, datatype: datatypes.date })
  out.text(iri, term('status'), benchmark.status)
  out.text(iri, dc.language, benchmark.language)
  out.text(iri, dc.publisher, benchmark.publisher)
  out.text(iri, dc.source, benchmark.source)
}

function projectRule(projection: Projection, rule: RuleInGraph, position: number): void {
  const { benchmark, iris, out, term } = projection
  const iri = iris.rule(benchmark, rule.ruleId)
  out.type(iri, term('Rule'))
  out.link(iri, dcterms.isPartOf, projection.iri)
  out.text(iri, dcterms.identifier, rule.ruleId)
  out.text(iri, dcterms.title, rule.title)
  out.typed(iri, term('position'), { lexical: String(position), datatype: datatypes.integer })
  out.text(iri, term('groupId'), rule.groupId)
  out.text(iri, term('severity'), rule.severity)
  out.text(iri, term('weight'), rule.weight)
  out.text(iri, term('status'), rule.status)
  if (benchmark.kind === 'stig') out.text(iri, term('stigId'), rule.version)
  projectIdents(projection, iri, rule)
  projectRequirement(projection, iri, rule)
}

function projectIdents(projection: Projection, iri: string, { idents }: RuleInGraph): void {
  const { iris, out, term } = projection
  for (const { system, value } of idents) {
    if (system.endsWith('/legacy')) out.text(iri, term('legacyId'), value)
    for (const id of ccisIn(value)) {
      out.link(iri, term('cci'), iris.cci(id))
      introduce(projection, iris.cci(id), { type: 'ControlCorrelationIdentifier', id })
    }
  }
}

/** A rule of an SRG states a requirement. A rule of a STIG satisfies one, and names it in the title of its group. */
function projectRequirement(projection: Projection, rule: string, { version, groupTitle }: RuleInGraph): void {
  const { benchmark, iris, out, term } = projection
  const isGuide = benchmark.kind === 'srg'
  const id = isGuide ? version : groupTitle
  if (id === null || id === '' || !(isGuide || id.startsWith('SRG-'))) return
  const requirement = iris.requirement(id)
  out.link(rule, term(isGuide ? 'states' : 'satisfies'), requirement)
  introduce(projection, requirement, { type: 'Requirement', id })
}

/** Describes a resource that many rules refer to, once. */
function introduce(
  { out, term, introduced }: Projection,
  iri: string,
  { type, id }: { readonly type: GuidanceTerm; readonly id: string },
): void {
  if (introduced.has(iri)) return
  introduced.add(iri)
  out.type(iri, term(type))
  out.text(iri, skos.notation, id)
}
