import type { RuleSource } from '../../contracts/guidance-records.ts'
import type { RelatedAnswer, RelatedItem, RelatedPage, RelatedRequest, RelatedSearch } from '../../contracts/related.ts'
import type { RecordKind, OntologyDocument, OntologyRelations } from '../../contracts/sources.ts'
import { compareCodeUnits } from '../../graph/term.ts'
import { Refusal } from '../../platform/errors.ts'
import type { LinkPath } from './link-path.ts'
import type { ReachedRecord, ReachedRecords } from './reached-records.ts'
import { findRelatedRecords, type RelatedRecords } from './related-records.ts'
import { pathsOfRule, type ControlLookup } from './rules.ts'
import { lookupOf } from './subject.ts'

const MAX_PATHS = 5
/** Further rules are read only as far as the page needs. */
const RULES_COUNTED = 200

/** Finds the records that are linked to a subject in an ontology. */
export function relatedIn(ontology: OntologyRelations): RelatedSearch {
  return {
    find: async (rules, request) => {
      const lookup = lookupOf(await ontology.content())
      const sources = { ontology, lookup, rules, controls: rules.controls }
      return answer({ ...sources, request }, await findRelatedRecords(sources, request.subject))
    },
  }
}

async function answer(
  question: ControlLookup & { readonly rules: RuleSource; readonly request: RelatedRequest },
  { subject, about, techniques, countered, ccis, cited }: RelatedRecords,
): Promise<RelatedAnswer> {
  const { rules, request } = question
  const { version, digest } = question.lookup.content
  const citing =
    ccis.length === 0
      ? { rules: [], isCut: false }
      : await rules.citing(ccis, { limit: ruleLimit(request), rankBy: about })
  const otherTechniques = techniques.reached.filter(({ document }) => document.iri !== subject.iri)
  const attacks = recordsOfKind(countered, 'offensive-technique')
  const weaknesses = recordsOfKind(countered, 'weakness')
  checkPage(request, [citing.rules, otherTechniques, attacks.reached, weaknesses.reached])
  const similarities = await similaritiesOf([...otherTechniques, ...countered.reached], about, rules)
  const reached = new Set(techniques.reached.map(({ document }) => document.iri))
  const among = { ccis: new Set(ccis), techniques: reached }
  return {
    subject,
    ontology: { version, digest },
    techniques: pageOfRecords({ ...techniques, reached: otherTechniques }, request, similarities),
    offensiveTechniques: pageOfRecords(attacks, request, similarities),
    weaknesses: pageOfRecords(weaknesses, request, similarities),
    rules: {
      total: citing.rules.length,
      isCut: citing.isCut,
      items: pageOf(citing.rules, request).map((rule) =>
        withPaths(
          rule,
          pathsOfRule(question, rule, among).map((path) => path()),
        ),
      ),
    },
    note: techniques.reached.length > 0 ? null : noTechniqueReason(subject.kind, cited),
  }
}

/** Why nothing led to a technique. */
function noTechniqueReason(kind: RecordKind, cited: readonly string[]): string {
  if (cited.length > 0 && BY_CONTROL.includes(kind)) return `The ontology links no technique to ${cited.join(', ')}.`
  return BY_CONTROL.includes(kind)
    ? 'It cites no CCI, by which it would be linked to techniques.'
    : 'No technique of the ontology acts on what it touches.'
}

/** Linked to techniques by CCIs and controls. */
const BY_CONTROL: readonly RecordKind[] = ['rule', 'authored-rule', 'requirement', 'cci', 'control']

/** Enough rules for the page, and for the number of pages if there are few. */
function ruleLimit({ page, perPage }: RelatedRequest): number {
  return Math.max(RULES_COUNTED, page * perPage + 1)
}

function recordsOfKind({ reached, isCut }: ReachedRecords, kind: RecordKind): ReachedRecords {
  return { reached: reached.filter(({ document }) => document.kind === kind), isCut }
}

function checkPage({ page, perPage }: RelatedRequest, lists: readonly (readonly unknown[])[]): void {
  const longest = Math.max(...lists.map(({ length }) => length))
  const last = Math.max(1, Math.ceil(longest / perPage))
  if (page > last) throw new Refusal('page_out_of_range', `Page ${page} is out of range (1..${last}).`)
}

function pageOf<T>(list: readonly T[], { page, perPage }: RelatedRequest): readonly T[] {
  return list.slice((page - 1) * perPage, page * perPage)
}

type Similarities = ReadonlyMap<string, number>

async function similaritiesOf(
  reached: readonly ReachedRecord[],
  about: string,
  rules: RuleSource,
): Promise<Similarities> {
  const iris = [...new Set(reached.map(({ document }) => document.iri))]
  return iris.length < 2 ? new Map() : rules.similarity(about, iris)
}

/** Sorts by closeness of the relation, then by similarity to the subject. */
function pageOfRecords(
  { reached, isCut }: ReachedRecords,
  request: RelatedRequest,
  similarities: Similarities,
): RelatedPage<OntologyDocument> {
  const weighed = reached.map(({ document, paths }) => {
    const results = paths.map((path) => path())
    return { document, results, worth: (similarities.get(document.iri) ?? 0) * closenessOf(results) }
  })
  const sorted = weighed.sort((a, b) => b.worth - a.worth || compareCodeUnits(a.document.name, b.document.name))
  const items = pageOf(sorted, request).map(({ document, results }) => withPaths(document, results))
  return { total: reached.length, isCut, items }
}

/** Each further path increases the closeness. */
function closenessOf(paths: readonly LinkPath[]): number {
  return 1 - paths.reduce((doubt, { strength }) => doubt * (1 - strength / 2), 1)
}

/** The closest paths first. */
function withPaths<T>(item: T, paths: readonly LinkPath[]): RelatedItem<T> {
  const closest = paths.toSorted((a, b) => b.strength - a.strength).slice(0, MAX_PATHS)
  return { item, paths: closest.map((path) => path.describe()), pathCount: paths.length }
}
