import { Refusal } from '../../../../platform/errors.ts'
import { shortenWords } from '../../files/xml.ts'
import type { Bundle, Related } from './bundle.ts'
import type { AttackItem, Mitigation, Tactic, Technique } from './items.ts'
import type { StixObject, StixReference, StixRelation } from './stix.ts'

/** The domain of each kill chain. */
const DOMAINS: Readonly<Record<string, string>> = {
  'mitre-attack': 'Enterprise',
  'mitre-mobile-attack': 'Mobile',
  'mitre-ics-attack': 'ICS',
}

/** Returns the domain that most techniques belong to; a few belong to two. */
export function domainOf(techniques: readonly StixObject[]): string {
  const counts = new Map<string, number>()
  for (const technique of techniques)
    for (const { kill_chain_name: chain } of technique.kill_chain_phases)
      counts.set(chain, (counts.get(chain) ?? 0) + 1)
  const knownChains = [...counts].filter(([chain]) => chain in DOMAINS).sort(([, a], [, b]) => b - a)
  const domain = DOMAINS[knownChains[0]?.[0] ?? '']
  if (domain !== undefined) return domain
  throw new Refusal('not_reference_data', 'The STIX bundle is not ATT&CK: no technique names a tactic of it.')
}

const KINDS: Readonly<Record<string, Technique['procedure_examples'][number]['kind']>> = {
  'intrusion-set': 'group',
  malware: 'malware',
  tool: 'tool',
  campaign: 'campaign',
}

interface Named {
  readonly id: string
  readonly name: string
}

/** Makes items from the objects of a bundle, with their related objects. */
export class ItemReader {
  readonly #bundle: Bundle
  readonly #domain: string
  readonly #tactics: ReadonlyMap<string, Named>

  constructor(bundle: Bundle, domain: string) {
    this.#bundle = bundle
    this.#domain = domain
    const tactics = bundle.ofType('x-mitre-tactic')
    this.#tactics = new Map(tactics.map((tactic) => [tactic.x_mitre_shortname ?? '', nameOf(tactic)]))
  }

  read(): readonly AttackItem[] {
    const techniques = this.#bundle.ofType('attack-pattern')
    return [
      ...sortItems(techniques.map((object) => this.#technique(object))),
      ...sortItems(this.#bundle.ofType('x-mitre-tactic').map((object) => this.#tactic(object, techniques))),
      ...sortItems(this.#bundle.ofType('course-of-action').map((object) => this.#mitigation(object))),
    ]
  }

  #technique(object: StixObject): Technique {
    const { id } = object
    const [parent] = this.#bundle.from(id, 'subtechnique-of')
    return {
      type: 'technique',
      ...this.#common(object),
      tactics: this.#tacticsOf(object),
      platforms: object.x_mitre_platforms,
      parent: parent === undefined ? null : nameOf(parent.object),
      subtechniques: sortItems(this.#bundle.to(id, 'subtechnique-of').map((link) => nameOf(link.object))),
      mitigations: sortItems(
        this.#bundle.to(id, 'mitigates').map(({ object, relation }) => procedureOf(object, relation)),
      ),
      detection: {
        text: object.x_mitre_detection,
        strategies: sortItems(this.#bundle.to(id, 'detects').map((link) => this.#strategy(link))),
      },
      procedure_examples: sortItems(this.#bundle.to(id, 'uses').map(example)),
    }
  }

  #tactic(object: StixObject, techniques: readonly StixObject[]): Tactic {
    const { x_mitre_shortname: shortName } = object
    if (shortName === undefined)
      throw new Refusal('missing_field', `The x_mitre_shortname is missing: ${shortenWords(object.id)}.`)
    const inUse = techniques.filter(
      (technique) =>
        !technique.revoked &&
        !technique.x_mitre_deprecated &&
        phasesOf(technique).includes(shortName) &&
        this.#bundle.from(technique.id, 'subtechnique-of').length === 0,
    )
    return { type: 'tactic', ...this.#common(object), short_name: shortName, techniques: sortItems(inUse.map(nameOf)) }
  }

  #mitigation(object: StixObject): Mitigation {
    const mitigated = this.#bundle.from(object.id, 'mitigates')
    return {
      type: 'mitigation',
      ...this.#common(object),
      id: idOf(object),
      techniques: sortItems(mitigated.map(({ object: technique, relation }) => procedureOf(technique, relation))),
    }
  }

  #common(object: StixObject) {
    const { id, name } = nameOf(object)
    const attackReference = ownReference(object)
    const [successor] = this.#bundle.from(object.id, 'revoked-by')
    return {
      id,
      attack_id: attackReference.external_id,
      stix_id: object.id,
      domain: this.#domain,
      name,
      description: object.description,
      url: attackReference.url ?? null,
      references: referencesOf(object),
      object_version: object.x_mitre_version ?? null,
      created: object.created ?? null,
      modified: object.modified ?? null,
      revoked: object.revoked,
      deprecated: object.x_mitre_deprecated,
      successor: successor === undefined ? null : nameOf(successor.object),
    }
  }

  /** Unknown tactics are left out: a revoked technique may name one that no longer exists. */
  #tacticsOf(object: StixObject): Technique['tactics'] {
    return phasesOf(object).map((phase) => this.#tactics.get(phase) ?? { id: null, name: phase })
  }

  /** Missing analytics are left out: not every bundle has all that its strategies name. */
  #strategy({ object, relation }: Related): Technique['detection']['strategies'][number] {
    const analytics = object.x_mitre_analytic_refs.flatMap((ref) => {
      const object = this.#bundle.find(ref)
      if (object === null) return []
      return [{ ...nameOf(object), description: object.description, platforms: object.x_mitre_platforms }]
    })
    return { ...procedureOf(object, relation), url: ownReference(object).url ?? null, analytics }
  }
}

function example({ object, relation }: Related): Technique['procedure_examples'][number] {
  const kind = KINDS[object.type] ?? 'other'
  return { ...procedureOf(object, relation), kind, url: ownReference(object).url ?? null }
}

/** Shapes the object at the other end of a relation, with the text of the relation. */
function procedureOf(object: StixObject, relation: StixRelation) {
  return { ...nameOf(object), text: relation.description.trim(), references: referencesOf(relation) }
}

function nameOf(object: StixObject): Named {
  return { id: idOf(object), name: object.name }
}

/** Returns the id at ATT&CK. Mitigations from before 2019 have the ids of their techniques, so the STIX id is used. */
function idOf(object: StixObject): string {
  const { external_id: id } = ownReference(object)
  return object.type === 'course-of-action' && id.startsWith('T') ? object.id : id
}

const ATTACK_SOURCE = /^mitre-(?:mobile-|ics-)?attack$/

/** Returns the reference with the id at ATT&CK and the page at MITRE. */
function ownReference({ id, external_references: references }: StixObject): StixReference & { external_id: string } {
  for (const { external_id, ...reference } of references)
    if (external_id !== undefined && ATTACK_SOURCE.test(reference.source_name)) return { ...reference, external_id }
  throw new Refusal('invalid_id', `The object ${shortenWords(id)} has no id of ATT&CK (external_references).`)
}

function referencesOf({ external_references: references }: Pick<StixRelation, 'external_references'>) {
  return references
    .filter(({ source_name: source }) => !ATTACK_SOURCE.test(source))
    .map(({ source_name: name, description, url }) => ({ name, description: description ?? null, url: url ?? null }))
}

function phasesOf({ kill_chain_phases: phases }: StixObject): readonly string[] {
  const attackPhases = phases.filter((phase) => phase.kill_chain_name in DOMAINS)
  return [...new Set(attackPhases.map((phase) => phase.phase_name))]
}

function sortItems<Item extends Named>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => Number(a.id > b.id) - Number(a.id < b.id))
}
