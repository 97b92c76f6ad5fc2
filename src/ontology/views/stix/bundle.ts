import { compareCodeUnits } from '../../../graph/term.ts'
import { utcTime } from '../../../graph/utc-time.ts'
import { d3f } from '../../../graph/vocabulary.ts'
import { nameBasedUuid } from '../../../platform/stable-uuid.ts'
import { domainsIn } from '../../release/domains.ts'
import type { Release } from '../../release/release.ts'
import { JSON_FORMAT } from '../json.ts'
import { attackPaths } from '../pairs/attack-pairs.ts'
import { pathsByPair, type PairPath } from '../pairs/pairs.ts'
import { publishedTechniques } from '../technique/subtechniques.ts'
import type { DocumentView } from '../view.ts'

export const stixBundle: DocumentView = {
  kind: 'document',
  path: '/api/stix/bundle.json',
  operation: 'getStixBundle',
  summary: 'Defensive techniques and the attacks that they counter, as a bundle of STIX 2.1',
  responseType: 'StixBundle',
  format: JSON_FORMAT,
  answer: (release) => Promise.resolve(shapeBundle(release)),
}

/** Ontologies do not state when a record was created, and STIX (§3.2) forbids that `created` changes with a release. */
const CREATED = '1970-01-01T00:00:00.000Z'

/** Paths from a technique to an attack that a relationship lists; some pairs have hundreds. */
const MAX_PATHS = 5

/** The name by which tools of STIX know the catalogue of an attack. */
const CATALOGUES = {
  'enterprise-attack': 'mitre-attack',
  'mobile-attack': 'mitre-attack',
  'ics-attack': 'mitre-attack',
  atlas: 'mitre-atlas',
  sparta: 'sparta',
} as const

interface StixObject {
  readonly type: 'attack-pattern' | 'course-of-action' | 'relationship'
  readonly id: string
  readonly [property: string]: unknown
}

/** Techniques (course-of-action), the attacks that they counter (attack-pattern), and a relationship for each pair. */
function shapeBundle(release: Release): unknown {
  const pairs = pathsByPair(attackPaths(release))
  const attacks = new Set(Array.from(pairs.values(), ([first]) => first?.other ?? ''))
  return {
    type: 'bundle',
    id: `bundle--${nameBasedUuid(release.manifest.sha256)}`,
    objects: [
      ...publishedTechniques(release).map((technique) => shapeTechnique(release, technique)),
      ...[...attacks].toSorted(compareCodeUnits).map((attack) => shapeAttack(release, attack)),
      ...Array.from(pairs.values(), (paths) => shapeRelationship(release, paths)),
    ],
  }
}

function common(release: Release, type: StixObject['type'], name: string): StixObject {
  return {
    type,
    spec_version: '2.1',
    id: `${type}--${nameBasedUuid(`${type} ${name}`)}`,
    created: CREATED,
    modified: new Date(utcTime(release.manifest.releaseDate)).toISOString(),
  }
}

function shapeTechnique(release: Release, technique: string): StixObject {
  const { summaries } = release
  const [id] = summaries.values(technique, d3f.d3fendId)
  const tactics = tacticsOf(release, technique)
  const synonyms = summaries.values(technique, d3f.synonym).map(({ value }) => value)
  return {
    ...common(release, 'course-of-action', technique),
    name: nameOf(release, technique),
    ...describeSubject(release, technique),
    external_references: [{ source_name: 'mitre-d3fend', ...(id && { external_id: id.value }), url: technique }],
    ...(tactics.length > 0 && { x_d3fend_tactics: tactics }),
    ...(synonyms.length > 0 && { x_d3fend_synonyms: synonyms }),
  }
}

/** Labels of the tactics that a technique enables, itself or through a technique above it. */
function tacticsOf({ hierarchy, tacticsByTechnique }: Release, technique: string): readonly string[] {
  const rows = [...hierarchy.up(technique)].flatMap((iri) => tacticsByTechnique.get(iri) ?? [])
  return [...new Set(rows.map(({ tactic_label: label }) => label.value))].toSorted(compareCodeUnits)
}

function shapeAttack(release: Release, attack: string): StixObject {
  const [id] = release.summaries.values(attack, d3f.attackId)
  const domain = domainsIn(release.hierarchy).of(attack)
  const catalogue = domain === null || id === undefined ? null : CATALOGUES[domain]
  return {
    ...common(release, 'attack-pattern', attack),
    name: nameOf(release, attack),
    ...describeSubject(release, attack),
    external_references: [
      ...(catalogue === null ? [] : [{ source_name: catalogue, external_id: id?.value }]),
      { source_name: 'mitre-d3fend', url: attack },
    ],
    ...(domain !== null && { x_d3fend_domain: domain }),
  }
}

/** A path is the relation to the defended artifact, this artifact, the relation of the attack, and the attacked artifact. */
function shapeRelationship(release: Release, paths: readonly PairPath[]): StixObject {
  const [{ technique, other } = { technique: '', other: '' }] = paths
  return {
    ...common(release, 'relationship', `mitigates ${technique} ${other}`),
    relationship_type: 'mitigates',
    source_ref: `course-of-action--${nameBasedUuid(`course-of-action ${technique}`)}`,
    target_ref: `attack-pattern--${nameBasedUuid(`attack-pattern ${other}`)}`,
    x_d3fend_path_count: paths.length,
    x_d3fend_paths: paths.slice(0, MAX_PATHS).map(({ via }) => via.map((iri) => release.names.compact(iri))),
  }
}

function nameOf({ summaries, names }: Release, iri: string): string {
  return summaries.labels(iri)[0]?.value ?? names.compact(iri)
}

function describeSubject({ summaries }: Release, iri: string): { readonly description?: string } {
  const [definition] = summaries.values(iri, d3f.definition)
  return definition === undefined ? {} : { description: definition.value }
}
