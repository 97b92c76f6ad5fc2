import type { SearchResult } from '../contracts/search.ts'
import type { ControlLink, GuidanceMatch } from '../contracts/sources.ts'
import type { Candidate } from './candidates.ts'
import type { OntologyIndex, OntologyRecord } from './ontology-index.ts'

/** A way from a record to a technique, and the same as a sentence. */
type Link = SearchResult['links'][number]
type TacticHead = SearchResult['tactics'][number]

/** A link to a technique, and the CCI and control through which it leads there. */
interface LinkStep {
  readonly link: ControlLink
  readonly through: readonly string[]
}

/** How a record is linked to techniques: rule → CCI → relation → technique, or by the control of the CCI. */
export function linksOf(candidate: Candidate, index: OntologyIndex): readonly Link[] {
  const { source } = candidate
  if (source.of === 'guidance') {
    const start = shownName(source.match) ?? source.match.title
    return source.match.ccis
      .flatMap((cci) => stepsOf(cci, index))
      .flatMap((step) => shapeLink(step, start, index))
  }
  const { kind, id, iri } = source.record
  if (kind === 'cci' || kind === 'control')
    return stepsOf(id ?? '', index).flatMap((step) => shapeLink(step, null, index))
  return candidate.through.flatMap((link) =>
    link.technique === iri ? shapeLink({ link, through: [link.control] }, null, index) : [],
  )
}

/** The tactics of a record, or else of the techniques that it is linked to. */
export function tacticsOf(candidate: Candidate, index: OntologyIndex): readonly TacticHead[] {
  const { source } = candidate
  if (source.of === 'ontology' && source.record.tactics.length > 0)
    return source.record.tactics.map(shapeTactic)
  const ccis = source.of === 'guidance' ? source.match.ccis : [source.record.id ?? '']
  const found = new Map<string, TacticHead>()
  for (const cci of ccis)
    for (const tactic of tacticsOfControl(cci, index)) found.set(tactic.id, tactic)
  return [...found.values()]
}

const remembered = new WeakMap<OntologyIndex, Map<string, readonly TacticHead[]>>()

/** Remembered, because thousands of rules cite the same few hundred CCIs. */
function tacticsOfControl(id: string, index: OntologyIndex): readonly TacticHead[] {
  const known = remembered.get(index) ?? new Map<string, readonly TacticHead[]>()
  remembered.set(index, known)
  const there = known.get(id)
  if (there !== undefined) return there
  const records = stepsOf(id, index).flatMap(({ link }) => recordOf(link.technique, index) ?? [])
  const found = new Map(
    records.flatMap(({ tactics }) => tactics.map((one) => [one.iri, shapeTactic(one)])),
  )
  const heads = [...found.values()]
  known.set(id, heads)
  return heads
}

function stepsOf(id: string, { links, controls }: OntologyIndex): readonly LinkStep[] {
  const own = (links.get(id) ?? []).map((link) => ({ link, through: [id] }))
  const above = (controls.get(id) ?? []).flatMap((control) =>
    (links.get(control) ?? []).map((link) => ({ link, through: [id, control] })),
  )
  return [...own, ...above]
}

function shapeLink(
  { link, through }: LinkStep,
  start: string | null,
  index: OntologyIndex,
): readonly Link[] {
  const record = recordOf(link.technique, index)
  if (record?.iri == null) return []
  const { iri, name, id, label } = record
  const tactics = record.tactics.map(shapeTactic)
  const steps = [...(start === null ? [] : [start]), ...through, link.relation]
  const whatFor = tactics.length === 0 ? '' : ` (${tactics.map((one) => one.label).join(', ')})`
  return [
    {
      technique: { iri, id: name ?? iri, d3fend_id: id, label, tactics },
      path: [...steps, name ?? iri],
      relation: link.relation,
      sentence: `${steps.join(' → ')} → ${label}${whatFor}`,
    },
  ]
}

function recordOf(iri: string, { byIri, records }: OntologyIndex): OntologyRecord | undefined {
  return records[byIri.get(iri) ?? -1]
}

function shapeTactic({ iri, label }: { readonly iri: string; readonly label: string }): TacticHead {
  return { id: `d3f:${iri.replace(/^.*[#/]/, '')}`, label }
}

/**
 * What people call a record: a requirement by its SRG id, a rule without what changes from release to
 * release, `SV-257777r1155676_rule` → `SV-257777`.
 */
export function shownName({ kind, names }: Pick<GuidanceMatch, 'kind' | 'names'>): string | null {
  const requirement = names.find((name) => kind === 'requirement' && name.startsWith('SRG-'))
  const name = requirement ?? names[0] ?? null
  return name?.replace(/^xccdf_[^_]+_rule_/, '').replace(/^(SV-\d+)r\d+(?:_rule)?$/, '$1') ?? null
}
