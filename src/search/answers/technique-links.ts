import type { GuidanceMatch } from '../../contracts/guidance-records.ts'
import type { SearchResult } from '../../contracts/search-answer.ts'
import type { ControlLink } from '../../contracts/sources.ts'
import { recordOf, stepsOf, tacticHead, type LinkStep } from '../knowledge/links.ts'
import type { OntologyIndex } from '../knowledge/ontology-index.ts'
import type { OntologyRecord } from '../knowledge/ontology-records.ts'

/** A path from a record to a technique, also as a sentence. */
type Link = SearchResult['links'][number]

/** Links to techniques, all from one record. */
interface TechniqueSteps {
  /** Name of the record; null if the first step names it. */
  readonly start: string | null
  readonly steps: readonly LinkStep[]
}

/** Links of a rule to techniques: rule → CCI → relation → technique, or by the control of the CCI. */
export function stepsOfRule(
  { match, called }: { readonly match: GuidanceMatch; readonly called: string },
  knowledge: OntologyIndex,
): TechniqueSteps {
  return { start: called, steps: match.ccis.flatMap((cci) => stepsOf(cci, knowledge)) }
}

/** Links of a CCI or control to techniques; for a technique, the links that led to it. */
export function stepsOfDocument(
  { kind, id, iri }: OntologyRecord,
  through: readonly ControlLink[],
  knowledge: OntologyIndex,
): TechniqueSteps {
  if (kind === 'cci' || kind === 'control') return { start: null, steps: stepsOf(id ?? '', knowledge) }
  const controlLinks = through.filter(({ technique }) => technique === iri)
  return { start: null, steps: controlLinks.map((link) => ({ link, through: [link.control] })) }
}

const MAX_LINKS = 5

/** Puts links through a named record first, because only few of what may be dozens are shown. */
export function linksOf(
  { start, steps }: TechniqueSteps,
  namedDocuments: ReadonlySet<string>,
  knowledge: OntologyIndex,
): Pick<SearchResult, 'links' | 'links_total'> {
  const links = steps.flatMap((step): readonly TechniqueLink[] => {
    const technique = recordOf(step.link.technique, knowledge)
    return technique?.iri == null ? [] : [{ step, technique, iri: technique.iri }]
  })
  const isStart = start !== null && namedDocuments.has(start)
  const rank = (link: TechniqueLink): number => Number(isStart || passesThrough(link, namedDocuments))
  const first = namedDocuments.size === 0 ? links : links.toSorted((a, b) => rank(b) - rank(a))
  return { links: first.slice(0, MAX_LINKS).map((link) => shapeLink(link, start)), links_total: links.length }
}

interface TechniqueLink {
  readonly step: LinkStep
  readonly technique: OntologyRecord
  readonly iri: string
}

function passesThrough(
  { step: { link, through }, technique, iri }: TechniqueLink,
  namedDocuments: ReadonlySet<string>,
): boolean {
  return [...through, link.relation, technique.name ?? iri].some((name) => namedDocuments.has(name))
}

function shapeLink({ step: { link, through }, technique, iri }: TechniqueLink, start: string | null): Link {
  const { name, id, label } = technique
  const tactics = technique.tactics.map(tacticHead)
  const steps = [...(start === null ? [] : [start]), ...through, link.relation]
  const whatFor = tactics.length === 0 ? '' : ` (${tactics.map((tactic) => tactic.label).join(', ')})`
  return {
    technique: { iri, id: name ?? iri, d3fend_id: id, label, tactics },
    path: [...steps, name ?? iri],
    relation: link.relation,
    sentence: `${steps.join(' → ')} → ${label}${whatFor}`,
  }
}

/**
 * The usual name of a record: a requirement has its SRG id, a rule its id without the part that changes from release to
 * release, `SV-257777r1155676_rule` → `SV-257777`.
 */
export function displayName({ kind, names }: Pick<GuidanceMatch, 'kind' | 'names'>): string | null {
  const requirement = names.find((name) => kind === 'requirement' && name.startsWith('SRG-'))
  const name = requirement ?? names[0] ?? null
  return name?.replace(/^xccdf_[^_]+_rule_/, '').replace(/^(SV-\d+)r\d+(?:_rule)?$/, '$1') ?? null
}
