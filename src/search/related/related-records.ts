import type { CitingRule, RuleSource } from '../../contracts/guidance-records.ts'
import type { RelatedSubject } from '../../contracts/related.ts'
import type { OntologyDocument, OntologyRelations } from '../../contracts/sources.ts'
import { Refusal } from '../../platform/errors.ts'
import { nodeOf, LinkPath } from './link-path.ts'
import { enablingTechniques, findCountered, findDefenders, type ReachedRecords } from './reached-records.ts'
import {
  ccisLeadingTo,
  ccisOfControl,
  findControl,
  techniquesOfCci,
  techniquesOfControl,
  techniquesOfRule,
  type ControlLookup,
} from './rules.ts'
import { findDocument, nearestSubjects } from './subject.ts'

/** The records that a subject is related to. */
export interface RelatedRecords {
  readonly subject: RelatedSubject
  /** The text of the subject. */
  readonly about: string
  /** The techniques that are related; the subject itself if it is one. */
  readonly techniques: ReachedRecords
  /** Attacks and weaknesses. */
  readonly countered: ReachedRecords
  /** The CCIs whose rules are related. */
  readonly ccis: readonly string[]
  /** The CCIs and controls that could relate a rule or control to techniques. */
  readonly cited: readonly string[]
}

const NOTHING: ReachedRecords = { reached: [], isCut: false }

/** Finds a subject by IRI, name or id, and its related records. Refuses an unknown one. */
export async function findRelatedRecords(
  sources: LinkedOntology & { readonly rules: RuleSource },
  subject: string,
): Promise<RelatedRecords> {
  const document = findDocument(sources.lookup, subject)
  if (document !== null) return aroundDocument(sources, document)
  const rule = await sources.rules.rule(subject)
  if (rule !== null) return aroundRule(sources, rule)
  const control = findControl(sources, subject)
  if (control !== null) return aroundControl(sources, control)
  const suggestions = nearestSubjects(sources.lookup, subject)
  const hint = suggestions[0] === undefined ? '' : ` Did you mean ${suggestions[0]}?`
  const members = suggestions.length === 0 ? {} : { did_you_mean: suggestions }
  const detail = `Nothing is called "${subject.slice(0, 200)}".${hint}`
  throw new Refusal('subject_not_found', detail, members)
}

type LinkedOntology = ControlLookup & { readonly ontology: OntologyRelations }

async function aroundRule(ontology: LinkedOntology, rule: CitingRule): Promise<RelatedRecords> {
  const { kind, iri, ruleId, title } = rule
  const techniques = { reached: techniquesOfRule(ontology, rule), isCut: false }
  return {
    subject: { kind, iri, id: ruleId, label: title },
    about: title,
    techniques,
    countered: await findCountered(ontology.ontology, ontology.lookup, techniques.reached),
    ccis: [],
    cited: withControls(ontology, rule.ccis),
  }
}

/** For a CCI or control that the ontology does not have. */
async function aroundControl(
  ontology: LinkedOntology,
  { kind, id }: NonNullable<ReturnType<typeof findControl>>,
): Promise<RelatedRecords> {
  const reached = kind === 'cci' ? techniquesOfCci(ontology, id) : techniquesOfControl(ontology, id)
  const techniques = { reached, isCut: false }
  return {
    subject: { kind, iri: null, id, label: id },
    about: id,
    techniques,
    countered: await findCountered(ontology.ontology, ontology.lookup, techniques.reached),
    ccis: kind === 'cci' ? [id] : ccisOfControl(ontology, id),
    cited: withControls(ontology, [id]),
  }
}

async function aroundDocument(ontology: LinkedOntology, document: OntologyDocument): Promise<RelatedRecords> {
  const { kind, iri, name, label, text } = document
  const techniques = await techniquesAround(ontology, document)
  const attacks = ['technique', 'cci', 'control'].includes(kind)
  return {
    subject: { kind, iri, id: name, label },
    about: `${label} ${text}`,
    techniques,
    countered: attacks ? await findCountered(ontology.ontology, ontology.lookup, techniques.reached) : NOTHING,
    ccis: ccisAround(ontology, document, techniques),
    cited: withControls(ontology, document.id === null ? [] : [document.id]),
  }
}

/** CCIs, and the controls that they belong to. */
function withControls({ controls }: ControlLookup, ids: readonly string[]): readonly string[] {
  return [...new Set([...ids, ...ids.flatMap((id) => controls.get(id) ?? [])])]
}

/** The CCI itself; otherwise the CCIs of a control, and the CCIs linked to the related techniques. */
function ccisAround(
  ontology: LinkedOntology,
  { kind, id }: OntologyDocument,
  { reached }: ReachedRecords,
): readonly string[] {
  if (kind === 'cci' && id !== null) return [id]
  const ownCcis = kind === 'control' && id !== null ? ccisOfControl(ontology, id) : []
  return [...new Set([...ownCcis, ...ccisLeadingTo(ontology, reached)])]
}

/** The techniques that enable the tactic, or that defend against attacks that enable it. */
function techniquesForTactic({ ontology, lookup }: LinkedOntology, tactic: OntologyDocument): Promise<ReachedRecords> {
  const enabling = enablingTechniques(lookup, tactic)
  if (enabling.every(({ document }) => document.kind === 'technique'))
    return Promise.resolve({ reached: enabling, isCut: false })
  return findDefenders(ontology, lookup, enabling)
}

async function techniquesAround(linkedOntology: LinkedOntology, document: OntologyDocument): Promise<ReachedRecords> {
  const { ontology, lookup } = linkedOntology
  const start = new LinkPath(nodeOf(document))
  switch (document.kind) {
    case 'technique':
      return { reached: [{ document, paths: [() => start] }], isCut: false }
    case 'cci':
      return { reached: techniquesOfCci(linkedOntology, document.id ?? ''), isCut: false }
    case 'control':
      return { reached: techniquesOfControl(linkedOntology, document.id ?? ''), isCut: false }
    case 'tactic':
      return techniquesForTactic(linkedOntology, document)
    case 'offensive-technique':
    case 'weakness':
    case 'artifact':
      return findDefenders(ontology, lookup, [{ document, paths: [() => start] }])
  }
}
