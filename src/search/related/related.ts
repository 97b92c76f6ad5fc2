import type { RelatedAnswer, RelatedItem, RelatedPage, RelatedRequest, RelatedSearch } from '../../contracts/search.ts'
import type { Kind, OntologyDocument, OntologyRelations, RuleSource } from '../../contracts/sources.ts'
import { compareCodeUnits } from '../../graph/term.ts'
import { Refusal } from '../../platform/errors.ts'
import { walksOfRule, type ControlLookup } from './rules.ts'
import { lookupOf } from './subject.ts'
import { findSurroundings, type Surroundings } from './surroundings.ts'
import type { ReachedRecord, ReachedRecords } from './walks.ts'
import type { Walk } from './ways.ts'

const MOST_WAYS = 5
/** Further rules are read only as far as the page needs. */
const RULES_COUNTED = 200

/** Looks for what is linked to a subject in an ontology. */
export function relatedIn(ontology: OntologyRelations): RelatedSearch {
  return {
    find: async (rules, request) => {
      const lookup = lookupOf(await ontology.content())
      const known = { ontology, lookup, rules, controls: rules.controls }
      return answer({ ...known, request }, await findSurroundings(known, request.subject))
    },
  }
}

interface RelatedContext extends ControlLookup {
  readonly rules: RuleSource
  readonly request: RelatedRequest
}

async function answer(
  question: RelatedContext,
  { subject, about, techniques, countered, ccis, cited }: Surroundings,
): Promise<RelatedAnswer> {
  const { rules, request } = question
  const { version, digest } = question.lookup.content
  const citing =
    ccis.length === 0
      ? { rules: [], isCut: false }
      : await rules.citing(ccis, { limit: ruleLimit(request), like: about })
  const others = techniques.reached.filter(({ document }) => document.iri !== subject.iri)
  const attacks = recordsOfKind(countered, 'offensive-technique')
  const weaknesses = recordsOfKind(countered, 'weakness')
  checkPage(request, [citing.rules, others, attacks.reached, weaknesses.reached])
  const likeness = await likenessOf([...others, ...countered.reached], about, rules)
  const reached = new Set(techniques.reached.map(({ document }) => document.iri))
  const among = { ccis: new Set(ccis), techniques: reached }
  return {
    subject,
    ontology: { version, digest },
    techniques: pageOfRecords({ ...techniques, reached: others }, request, likeness),
    offensiveTechniques: pageOfRecords(attacks, request, likeness),
    weaknesses: pageOfRecords(weaknesses, request, likeness),
    rules: {
      total: citing.rules.length,
      isCut: citing.isCut,
      items: pageOf(citing.rules, request).map((rule) =>
        withWays(
          rule,
          walksOfRule(question, rule, among).map((walk) => walk()),
        ),
      ),
    },
    note: techniques.reached.length > 0 ? null : noTechniqueReason(subject.kind, cited),
  }
}

/** Why nothing led to a technique. */
function noTechniqueReason(kind: Kind, cited: readonly string[]): string {
  if (cited.length > 0 && BY_CONTROL.includes(kind)) return `The ontology links no technique to ${cited.join(', ')}.`
  return BY_CONTROL.includes(kind)
    ? 'It cites no CCI, by which it would be linked to techniques.'
    : 'No technique of the ontology acts on what it touches.'
}

/** Linked to techniques by CCIs and controls. */
const BY_CONTROL: readonly Kind[] = ['rule', 'authored-rule', 'requirement', 'cci', 'control']

/** Enough for the page, and to tell how many pages there are if they are few. */
function ruleLimit({ page, perPage }: RelatedRequest): number {
  return Math.max(RULES_COUNTED, page * perPage + 1)
}

function recordsOfKind({ reached, isCut }: ReachedRecords, kind: Kind): ReachedRecords {
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

type Likeness = ReadonlyMap<string, number>

async function likenessOf(reached: readonly ReachedRecord[], about: string, rules: RuleSource): Promise<Likeness> {
  const iris = [...new Set(reached.map(({ document }) => document.iri))]
  return iris.length < 2 ? new Map() : rules.likeness(about, iris)
}

/** Sorts by closeness of the relation, then by likeness to the subject. */
function pageOfRecords(
  { reached, isCut }: ReachedRecords,
  request: RelatedRequest,
  likeness: Likeness,
): RelatedPage<OntologyDocument> {
  const weighed = reached.map(({ document, walks }) => {
    const made = walks.map((walk) => walk())
    return { document, made, worth: (likeness.get(document.iri) ?? 0) * closenessOf(made) }
  })
  const sorted = weighed.sort((a, b) => b.worth - a.worth || compareCodeUnits(a.document.name, b.document.name))
  const items = pageOf(sorted, request).map(({ document, made }) => withWays(document, made))
  return { total: reached.length, isCut, items }
}

/** Each way that leads somewhere makes it more likely that it is meant. */
function closenessOf(walks: readonly Walk[]): number {
  return 1 - walks.reduce((doubt, { strength }) => doubt * (1 - strength / 2), 1)
}

/** The closest ways first. */
function withWays<T>(item: T, walks: readonly Walk[]): RelatedItem<T> {
  const closest = walks.toSorted((a, b) => b.strength - a.strength).slice(0, MOST_WAYS)
  return { item, ways: closest.map((walk) => walk.way()), wayCount: walks.length }
}
