import { compareCodeUnits } from '../graph/term.ts'
import { Refusal } from '../platform/errors.ts'
import type { Findings, Later, RelatedOntology } from './related-ontology.ts'
import { walksOfRule, type CitingRule, type Controls, type RuleSource } from './related-rules.ts'
import { lookupOf } from './related-subject.ts'
import { findSurroundings, type Subject, type Surroundings } from './related-surroundings.ts'
import type { Way } from './related-ways.ts'
import type { Kind, OntologyDocument } from './sources.ts'

interface Asked {
  /** An IRI, a name or an id. */
  readonly subject: string
  /** Of every list; from 1. */
  readonly page: number
  readonly perPage: number
}

/** A page of a list. */
interface Section<T> {
  readonly total: number
  /** Whether there may be more than `total`. */
  readonly isCut: boolean
  readonly items: readonly T[]
}

interface Related<T> {
  readonly item: T
  /** The first ones. */
  readonly ways: readonly Way[]
  readonly wayCount: number
}

/** What is linked to a subject, with the ways that lead there. */
interface RelatedAnswer<Rule> {
  readonly subject: Subject
  readonly ontology: { readonly version: string; readonly digest: string }
  readonly techniques: Section<Related<OntologyDocument>>
  readonly offensiveTechniques: Section<Related<OntologyDocument>>
  readonly weaknesses: Section<Related<OntologyDocument>>
  readonly rules: Section<Related<Rule>>
}

const MOST_WAYS = 5
/** Beyond these, rules are looked at only as far as the page needs. */
const RULES_COUNTED = 200

/** Looks for what is linked to a subject in an ontology. */
export interface RelatedSearch {
  /** Refuses an unknown subject and a page that there is not. */
  find<Rule extends CitingRule>(rules: RuleSource<Rule>, asked: Asked): Promise<RelatedAnswer<Rule>>
}

export function relatedIn(ontology: RelatedOntology): RelatedSearch {
  return {
    find: async (rules, asked) => {
      const lookup = lookupOf(await ontology.content())
      const ground = { ontology, lookup, rules, controls: rules.controls }
      return answer({ ...ground, asked }, await findSurroundings(ground, asked.subject))
    },
  }
}

interface Ground<Rule extends CitingRule> extends Controls {
  readonly rules: RuleSource<Rule>
  readonly asked: Asked
}

async function answer<Rule extends CitingRule>(
  ground: Ground<Rule>,
  { subject, techniques, countered, ccis }: Surroundings,
): Promise<RelatedAnswer<Rule>> {
  const { rules, asked } = ground
  const { version, digest } = ground.lookup.content
  const cited =
    ccis.length === 0 ? { rules: [], isCut: false } : await rules.citing(ccis, rulesLookedAt(asked))
  const others = techniques.reached.filter(({ document }) => document.iri !== subject.iri)
  const attacks = ofKind(countered, 'offensive-technique')
  const weaknesses = ofKind(countered, 'weakness')
  checkPage(asked, [cited.rules, others, attacks.reached, weaknesses.reached])
  const reached = new Set(techniques.reached.map(({ document }) => document.iri))
  const among = { ccis: new Set(ccis), techniques: reached }
  return {
    subject,
    ontology: { version, digest },
    techniques: section({ ...techniques, reached: others }, asked),
    offensiveTechniques: section(attacks, asked),
    weaknesses: section(weaknesses, asked),
    rules: {
      total: cited.rules.length,
      isCut: cited.isCut,
      items: pageOf(cited.rules, asked).map((rule) =>
        withWays(rule, walksOfRule(ground, rule, among)),
      ),
    },
  }
}

/** Enough for the page that is asked for, and to say how many pages there are unless these are many. */
function rulesLookedAt({ page, perPage }: Asked): number {
  return Math.max(RULES_COUNTED, page * perPage + 1)
}

function ofKind({ reached, isCut }: Findings, kind: Kind): Findings {
  return { reached: reached.filter(({ document }) => document.kind === kind), isCut }
}

function checkPage({ page, perPage }: Asked, lists: readonly (readonly unknown[])[]): void {
  const longest = Math.max(...lists.map(({ length }) => length))
  const last = Math.max(1, Math.ceil(longest / perPage))
  if (page > last)
    throw new Refusal('page_out_of_range', `Page ${page} is out of range (1..${last}).`)
}

function pageOf<T>(list: readonly T[], { page, perPage }: Asked): readonly T[] {
  return list.slice((page - 1) * perPage, page * perPage)
}

function section({ reached, isCut }: Findings, asked: Asked): Section<Related<OntologyDocument>> {
  const sorted = [...reached].sort((a, b) => compareCodeUnits(a.document.name, b.document.name))
  const items = pageOf(sorted, asked).map(({ document, walks }) => withWays(document, walks))
  return { total: reached.length, isCut, items }
}

function withWays<T>(item: T, walks: readonly Later[]): Related<T> {
  const ways = walks.slice(0, MOST_WAYS).map((walk) => walk().way())
  return { item, ways, wayCount: walks.length }
}
