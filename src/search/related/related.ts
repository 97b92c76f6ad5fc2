import type {
  RelatedAnswer,
  RelatedItem,
  RelatedPage,
  RelatedRequest,
  RelatedSearch,
} from '../../contracts/search.ts'
import type {
  Kind,
  OntologyDocument,
  OntologyRelations,
  RuleSource,
} from '../../contracts/sources.ts'
import { compareCodeUnits } from '../../graph/term.ts'
import { Refusal } from '../../platform/errors.ts'
import { walksOfRule, type ControlLookup } from './rules.ts'
import { lookupOf } from './subject.ts'
import { findSurroundings, type Surroundings } from './surroundings.ts'
import type { LazyWalk, ReachedRecord, ReachedRecords } from './walks.ts'

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
  { subject, about, techniques, countered, ccis }: Surroundings,
): Promise<RelatedAnswer> {
  const { rules, request } = question
  const { version, digest } = question.lookup.content
  const cited =
    ccis.length === 0
      ? { rules: [], isCut: false }
      : await rules.citing(ccis, { limit: rulesLookedAt(request), like: about })
  const others = techniques.reached.filter(({ document }) => document.iri !== subject.iri)
  const attacks = ofKind(countered, 'offensive-technique')
  const weaknesses = ofKind(countered, 'weakness')
  checkPage(request, [cited.rules, others, attacks.reached, weaknesses.reached])
  const likeness = await likenessOf([...others, ...countered.reached], about, rules)
  const reached = new Set(techniques.reached.map(({ document }) => document.iri))
  const among = { ccis: new Set(ccis), techniques: reached }
  return {
    subject,
    ontology: { version, digest },
    techniques: section({ ...techniques, reached: others }, request, likeness),
    offensiveTechniques: section(attacks, request, likeness),
    weaknesses: section(weaknesses, request, likeness),
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

type Likeness = ReadonlyMap<string, number>

async function likenessOf(
  reached: readonly ReachedRecord[],
  about: string,
  rules: RuleSource,
): Promise<Likeness> {
  const iris = [...new Set(reached.map(({ document }) => document.iri))]
  return iris.length < 2 ? new Map() : rules.likeness(about, iris)
}

/** Those first that are most like the subject. */
function section(
  { reached, isCut }: ReachedRecords,
  request: RelatedRequest,
  likeness: Likeness,
): RelatedPage<OntologyDocument> {
  const worth = ({ document }: ReachedRecord): number => likeness.get(document.iri) ?? 0
  const sorted = [...reached].sort(
    (a, b) => worth(b) - worth(a) || compareCodeUnits(a.document.name, b.document.name),
  )
  const items = pageOf(sorted, request).map(({ document, walks }) => withWays(document, walks))
  return { total: reached.length, isCut, items }
}

function withWays<T>(item: T, walks: readonly LazyWalk[]): RelatedItem<T> {
  const ways = walks.slice(0, MOST_WAYS).map((walk) => walk().way())
  return { item, ways, wayCount: walks.length }
}
