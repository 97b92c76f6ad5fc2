import type { SearchResult } from '../../contracts/search.ts'
import type { ControlLink, GuidanceMatch } from '../../contracts/sources.ts'
import type { OntologyIndex, OntologyRecord } from '../knowledge/knowledge.ts'
import { recordOf, stepsOf, tacticHead, type LinkStep } from '../knowledge/links.ts'

/** A way from a record to a technique, and the same as a sentence. */
type Link = SearchResult['links'][number]

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

/**
 * What people call a record: a requirement by its SRG id, a rule without what changes from release to
 * release, `SV-257777r1155676_rule` → `SV-257777`.
 */
export function shownName({ kind, names }: Pick<GuidanceMatch, 'kind' | 'names'>): string | null {
  const requirement = names.find((name) => kind === 'requirement' && name.startsWith('SRG-'))
  const name = requirement ?? names[0] ?? null
  return name?.replace(/^xccdf_[^_]+_rule_/, '').replace(/^(SV-\d+)r\d+(?:_rule)?$/, '$1') ?? null
}
