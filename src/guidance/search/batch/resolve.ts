import type { FoundName } from '../../../contracts/lookup.ts'
import type { OntologyRelease } from '../../../contracts/sources.ts'
import { problemOf } from '../../../http/problem.ts'
import { Refusal } from '../../../platform/errors.ts'
import { nistControls } from '../../catalogue/benchmarks/nist-controls.ts'
import type { Iris } from '../../catalogue/linked-data/graph/iris.ts'
import type { Reader } from '../../database/transaction.ts'
import {
  headOfFound,
  headOfRule,
  shapeCci,
  shapeFound,
  shapeRule,
  type BatchItem,
} from './answer.ts'
import { findNearest, type NearestParts } from './nearest.ts'
import { findRulesByNames, type NamedRules } from './rule-names.ts'

/** Longer than any name of a real record. */
const LONGEST = 1024

export interface BatchParts extends NearestParts {
  readonly reader: Reader
  readonly iris: Iris
}

export interface Resolved {
  readonly ontology: OntologyRelease | null
  /** In the order of the question. */
  readonly items: readonly BatchItem[]
}

/** What each text stands for: a record of the ontology first, then a CCI of the list, then a rule. */
export async function resolve(parts: BatchParts, asked: readonly string[]): Promise<Resolved> {
  const texts = [...new Set(asked.map((text) => text.trim()))]
  const names = texts.filter((text) => text !== '' && text.length <= LONGEST)
  const { ontology, found } = await lookUp(parts, names)
  const open = names.filter((name) => !found.has(name) && cciOf(parts.iris, name) === null)
  const rules = await findRulesByNames(parts.reader, parts.iris, open)
  const unknown = open.filter((name) => !rules.has(name))
  const near = await findNearest(parts, unknown)
  const known = new Map(
    texts.map((text) => [text, itemOf(parts.iris, text, { found, rules, near })]),
  )
  return {
    ontology,
    items: asked.flatMap((text) => {
      const item = known.get(text.trim())
      return item === undefined ? [] : [{ ...item, asked: text }]
    }),
  }
}

interface Known {
  readonly found: ReadonlyMap<string, FoundName>
  readonly rules: ReadonlyMap<string, NamedRules>
  readonly near: ReadonlyMap<string, readonly string[]>
}

function itemOf(iris: Iris, asked: string, { found, rules, near }: Known): BatchItem {
  const named = found.get(asked)
  if (named !== undefined) {
    const { record, also } = named
    const control = record.kind === 'cci' ? (nistControls().get(record.id ?? '') ?? null) : null
    return answered(asked, shapeFound(record, control), also.map(headOfFound))
  }
  const cci = cciOf(iris, asked)
  if (cci !== null)
    return answered(asked, shapeCci(iris.cci(cci), cci, nistControls().get(cci) ?? ''), [])
  const [rule, ...others] = rules.get(asked) ?? []
  if (rule !== undefined) return answered(asked, shapeRule(rule), others.map(headOfRule))
  return { asked, record: null, also: [], problem: problemOf(refuse(asked, near.get(asked) ?? [])) }
}

function answered(asked: string, record: BatchItem['record'], also: BatchItem['also']): BatchItem {
  return { asked, record, also, problem: null }
}

function refuse(asked: string, near: readonly string[]): Refusal {
  if (asked === '') return new Refusal('parameter_missing', 'An identifier is blank.')
  if (asked.length > LONGEST)
    return new Refusal(
      'identifier_too_long',
      `The identifier has ${asked.length} characters; at most ${LONGEST} are looked up.`,
    )
  const hint = near[0] === undefined ? '' : ` Did you mean ${near[0]}?`
  const members = near.length === 0 ? {} : { did_you_mean: near }
  return new Refusal('subject_not_found', `Nothing is called "${asked}".${hint}`, members)
}

interface FoundInOntology {
  readonly ontology: OntologyRelease | null
  readonly found: ReadonlyMap<string, FoundName>
}

/** Rules and CCIs are there also while no release is open. */
async function lookUp(
  { ontology, iris }: BatchParts,
  names: readonly string[],
): Promise<FoundInOntology> {
  if (ontology === null) return { ontology: null, found: new Map() }
  try {
    const spelt = names.map((name) => cciOf(iris, name) ?? name)
    const { version, digest, found } = await ontology.lookUp(spelt)
    const pairs = names.flatMap((name, place) => {
      const one = found[place] ?? null
      return one === null ? [] : [[name, one] as const]
    })
    return { ontology: { version, digest }, found: new Map(pairs) }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'no_release')
      return { ontology: null, found: new Map() }
    throw error
  }
}

/** The CCI of the list that a text names: `CCI-000015`, `cci 15`, or its IRI. */
function cciOf(iris: Iris, text: string): string | null {
  const before = iris.cci('')
  const name = text.startsWith(before) ? text.slice(before.length) : text
  const digits = /^cci[-\s]?(\d{1,6})$/i.exec(name)?.[1]
  const id = `CCI-${digits?.padStart(6, '0') ?? ''}`
  return nistControls().has(id) ? id : null
}
