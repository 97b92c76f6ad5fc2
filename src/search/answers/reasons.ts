import type { SearchResult } from '../../contracts/search.ts'
import type { ControlLink, GuidanceMatch } from '../../contracts/sources.ts'
import type { OntologyIndex, OntologyRecord } from '../knowledge/knowledge.ts'

/** A way from a record to a technique, and the same as a sentence. */
type Link = SearchResult['links'][number]
export type TacticHead = SearchResult['tactics'][number]

/** A link to a technique, and the CCI and control through which it leads there. */
interface LinkStep {
  readonly link: ControlLink
  readonly through: readonly string[]
}

/** How a rule is linked to techniques: rule → CCI → relation → technique, or by the control of the CCI. */
export function linksOfRule(
  { match, called }: { readonly match: GuidanceMatch; readonly called: string },
  knowledge: OntologyIndex,
): readonly Link[] {
  return match.ccis
    .flatMap((cci) => stepsOf(cci, knowledge))
    .flatMap((step) => shapeLink(step, called, knowledge))
}

/** How a CCI or control is linked to techniques; of a technique, the links that led to it. */
export function linksOfDocument(
  { kind, id, iri }: OntologyRecord,
  through: readonly ControlLink[],
  knowledge: OntologyIndex,
): readonly Link[] {
  if (kind === 'cci' || kind === 'control')
    return stepsOf(id ?? '', knowledge).flatMap((step) => shapeLink(step, null, knowledge))
  return through.flatMap((link) =>
    link.technique === iri ? shapeLink({ link, through: [link.control] }, null, knowledge) : [],
  )
}

const remembered = new WeakMap<OntologyIndex, Map<string, readonly TacticHead[]>>()

/** The tactics of the techniques that CCIs and controls are linked to; by their names as `nameOf` writes them. */
export function tacticsOfControls(
  names: readonly string[],
  knowledge: OntologyIndex,
): readonly TacticHead[] {
  const [only = '', ...others] = names
  if (others.length === 0) return tacticsOfControl(only, knowledge)
  const found = new Map<string, TacticHead>()
  for (const name of names)
    for (const tactic of tacticsOfControl(name, knowledge)) found.set(tactic.id, tactic)
  return [...found.values()]
}

/** Remembered, because thousands of rules cite the same few hundred CCIs. */
function tacticsOfControl(name: string, knowledge: OntologyIndex): readonly TacticHead[] {
  const known = remembered.get(knowledge) ?? new Map<string, readonly TacticHead[]>()
  remembered.set(knowledge, known)
  const there = known.get(name)
  if (there !== undefined) return there
  const ids = (knowledge.names.get(name) ?? []).map((place) => knowledge.records[place]?.id ?? '')
  const steps = ids.flatMap((id) => stepsOf(id, knowledge))
  const records = steps.flatMap(({ link }) => recordOf(link.technique, knowledge) ?? [])
  const found = new Map(
    records.flatMap(({ tactics }) => tactics.map((one) => [one.iri, tacticHead(one)])),
  )
  const heads = [...found.values()]
  known.set(name, heads)
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
  const tactics = record.tactics.map(tacticHead)
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

export function tacticHead({
  iri,
  label,
}: {
  readonly iri: string
  readonly label: string
}): TacticHead {
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
