import type { OntologyLookup } from '../../../../contracts/lookup.ts'
import type { ClassRelative, Defense, NamedTechnique, OntologyRelations } from '../../../../contracts/sources.ts'
import { append } from '../../../../platform/append.ts'
import { Refusal } from '../../../../platform/errors.ts'
import type { Reader } from '../../../database/transaction.ts'
import { citesCcis, findCitingRules, totalSeverities } from '../../benchmarks/citing-rules.ts'
import { nistControls } from '../../benchmarks/nist-controls.ts'
import { findControlIds } from '../../reference-data/controls/documents.ts'
import { findItemIds, listVersions } from '../../reference-data/reader.ts'
import { findCcisOfRules } from '../countermeasures/citations.ts'
import type { ControlLinks } from '../countermeasures/control-links.ts'
import { type NistControls, nistControlsOf, shapeTechnique } from '../countermeasures/links.ts'
import { relationName, shortName } from '../countermeasures/names.ts'
import type { OntologyLinks } from '../countermeasures/ontology-links.ts'
import type { AttackGuidance } from './schemas.ts'

const IS_A = 'rdfs:subClassOf+'

/** The functions of the ontology about attacks. */
export type AttackOntology = Pick<OntologyRelations, 'defenses'> & Pick<OntologyLookup, 'lookUp'>

export interface AttackSources {
  readonly reader: Reader
  readonly links: Pick<OntologyLinks, 'current'>
  /** Null where there is no ontology. */
  readonly attacks: AttackOntology | null
}

/** Limit of listed paths to a technique: some attacks affect dozens of artifacts. */
const MAX_PATHS = 5

/**
 * Finds the techniques that counter an attack, and the rules of the newest releases that cite their CCIs. Null without
 * an ontology, and for an unknown attack.
 */
export async function findAttackGuidance(
  { reader, links, attacks }: AttackSources,
  id: string,
): Promise<AttackGuidance | null> {
  const controls = attacks === null ? null : await links.current()
  if (attacks === null || controls === null) return null
  const { found } = await attacks.lookUp([id])
  const record = found[0]?.record
  if (record?.kind !== 'offensive-technique') return null
  const [cciList] = await listVersions(reader, 'cci_list')
  const sources = {
    controls: new Set(await findControlIds(reader)),
    ccis: await findItemIds(reader, cciList === undefined ? [] : [cciList]),
  }
  const techniques = shapeTechniques(await attacks.defenses([record.iri]), { controls, listed: sources })
  const ccis = new Set(techniques.flatMap((technique) => technique.ccis.map(({ cci }) => cci)))
  const benchmarks = await findCitingRules(reader, citesCcis([...ccis]))
  const cited = await findCcisOfRules(
    reader,
    benchmarks.flatMap(({ rules }) => rules.map((rule) => rule.id)),
  )
  const { iri, name, label } = record
  return {
    attack: { iri, id: record.id ?? id, name, label },
    ontology: { version: controls.version, digest: controls.digest },
    techniques,
    severity_counts: totalSeverities(benchmarks),
    benchmarks: benchmarks.map((benchmark) => ({
      ...benchmark,
      rules: benchmark.rules.map((rule) => {
        const linkedCcis = [...(cited.get(rule.id) ?? [])].filter((cci) => ccis.has(cci))
        return { ...rule, ccis: linkedCcis }
      }),
    })),
  }
}

/** Like `findAttackGuidance`, but refuses with `no_release` and `subject_not_found`. */
export async function requireAttackGuidance(sources: AttackSources, id: string): Promise<AttackGuidance> {
  const guidance = await findAttackGuidance(sources, id)
  if (guidance !== null) return guidance
  if (sources.attacks === null || (await sources.links.current()) === null)
    throw new Refusal('no_release', 'No ontology has been ingested yet, or it cannot be opened.')
  throw new Refusal('subject_not_found', `The ontology has no attack ${id}.`)
}

interface ControlSources {
  readonly controls: ControlLinks
  /** Ids of the controls and CCIs in the loaded lists. */
  readonly listed: { readonly controls: ReadonlySet<string>; readonly ccis: ReadonlySet<string> }
}

function shapeTechniques(
  defenses: readonly Defense[],
  { controls, listed }: ControlSources,
): AttackGuidance['techniques'] {
  const byTechnique = new Map<string, Defense[]>()
  for (const defense of defenses) append(byTechnique, defense.technique, defense)
  const nist = nistControlsOf(controls, byTechnique.keys())
  return controls.techniques.flatMap((technique) => {
    const techniqueDefenses = byTechnique.get(technique.iri)
    return techniqueDefenses === undefined
      ? []
      : [shapeCountering(technique, techniqueDefenses, { controls, listed, nist })]
  })
}

function shapeCountering(
  technique: NamedTechnique,
  defenses: readonly Defense[],
  { controls, listed: listedCcis, nist }: ControlSources & { readonly nist: NistControls },
): AttackGuidance['techniques'][number] {
  const ccis = controls.to(technique.iri).map(({ cci, control, relation }) => ({
    cci,
    cci_control: nistControls().get(cci) ?? null,
    relation: relationName(relation),
    control: shortName(control),
    is_known: listedCcis.ccis.has(cci),
  }))
  return {
    ...shapeTechnique(technique),
    nist_controls: (nist.get(technique.iri) ?? []).map((control) => {
      return { ...control, is_known: listedCcis.controls.has(control.label) }
    }),
    paths: defenses.slice(0, MAX_PATHS).map(pathOfDefense),
    ccis: ccis.toSorted((a, b) => (a.cci < b.cci ? -1 : a.cci > b.cci ? 1 : 0)),
  }
}

/** The path from the attack to the technique, as alternating names and relations. */
function pathOfDefense({ subject, technique, relation, artifact, attack }: Defense): string[] {
  const attackPath = attack === null ? [] : [...stepTo(attack.by), attack.relation, shortName(attack.artifact.iri)]
  return [shortName(subject), ...attackPath, ...stepTo(artifact), `^${relationName(relation)}`, shortName(technique)]
}

/** The part of a path that leads to a class above or below. */
function stepTo({ is, iri }: ClassRelative): readonly string[] {
  if (is === 'itself') return []
  return [is === 'above' ? IS_A : `^${IS_A}`, shortName(iri)]
}
