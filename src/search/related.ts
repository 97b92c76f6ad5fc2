import type {
  RelatedAnswer,
  RelatedItem,
  RelatedPage,
  RelatedRequest,
  RelatedSearch,
} from '../contracts/search.ts'
import type { Kind, OntologyDocument, OntologyRelations, RuleSource } from '../contracts/sources.ts'
import { compareCodeUnits } from '../graph/term.ts'
import { Refusal } from '../platform/errors.ts'
import type { ReachedRecords, LazyWalk } from './related-ontology.ts'
import { walksOfRule, type ControlLookup } from './related-rules.ts'
import { lookupOf } from './related-subject.ts'
import { findSurroundings, type Surroundings } from './related-surroundings.ts'

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

interface RelatedQuestion extends ControlLookup {
  readonly rules: RuleSource
  readonly request: RelatedRequest
}

async function answer(
  question: RelatedQuestion,
  { subject, techniques, countered, ccis }: Surroundings,
): Promise<RelatedAnswer> {
  const { rules, request } = question
  const { version, digest } = question.lookup.content
  const cited =
    ccis.length === 0
      ? { rules: [], isCut: false }
      : await rules.citing(ccis, rulesLookedAt(request))
  const others = techniques.reached.filter(({ document }) => document.iri !== subject.iri)
  const attacks = ofKind(countered, 'offensive-technique')
  const weaknesses = ofKind(countered, 'weakness')
  checkPage(request, [cited.rules, others, attacks.reached, weaknesses.reached])
  const reached = new Set(techniques.reached.map(({ document }) => document.iri))
  const among = { ccis: new Set(ccis), techniques: reached }
  return {
    subject,
    ontology: { version, digest },
    techniques: section({ ...techniques, reached: others }, request),
    offensiveTechniques: section(attacks, request),
    weaknesses: section(weaknesses, request),
    rules: {
      total: cited.rules.length,
      isCut: cited.isCut,
      items: pageOf(cited.rules, request).map((rule) =>
        withWays(rule, walksOfRule(question, rule, among)),
      ),
    },
  }
}

/** Enough for the page, and to tell how many pages there are if they are few. */
function rulesLookedAt({ page, perPage }: RelatedRequest): number {
  return Math.max(RULES_COUNTED, page * perPage + 1)
}

function ofKind({ reached, isCut }: ReachedRecords, kind: Kind): ReachedRecords {
  return { reached: reached.filter(({ document }) => document.kind === kind), isCut }
}

function checkPage(
  { page, perPage }: RelatedRequest,
  lists: readonly (readonly unknown[])[],
): void {
  const longest = Math.max(...lists.map(({ length }) => length))
  const last = Math.max(1, Math.ceil(longest / perPage))
  if (page > last)
    throw new Refusal('page_out_of_range', `Page ${page} is out of range (1..${last}).`)
}

function pageOf<T>(list: readonly T[], { page, perPage }: RelatedRequest): readonly T[] {
  return list.slice((page - 1) * perPage, page * perPage)
}

function section(
  { reached, isCut }: ReachedRecords,
  request: RelatedRequest,
): RelatedPage<OntologyDocument> {
  const sorted = [...reached].sort((a, b) => compareCodeUnits(a.document.name, b.document.name))
  const items = pageOf(sorted, request).map(({ document, walks }) => withWays(document, walks))
  return { total: reached.length, isCut, items }
}

function withWays<T>(item: T, walks: readonly LazyWalk[]): RelatedItem<T> {
  const ways = walks.slice(0, MOST_WAYS).map((walk) => walk().way())
  return { item, ways, wayCount: walks.length }
}
