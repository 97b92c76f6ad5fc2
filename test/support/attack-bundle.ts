import type { Database } from '../../src/guidance/database/database.ts'
import { storeReference } from './reference-data.ts'

/** An object or a relation of a made-up STIX bundle. */
export type StixSample = Readonly<Record<string, unknown>> & { readonly type: string; readonly id: string }

const PAGES: Readonly<Record<string, string>> = {
  'attack-pattern': 'techniques',
  'x-mitre-tactic': 'tactics',
  'course-of-action': 'mitigations',
}

/** An object with an id of ATT&CK. */
export function stixObject(
  { type, attackId, name }: { readonly type: string; readonly attackId: string; readonly name: string },
  members: object = {},
): StixSample {
  const url = `https://attack.example/${PAGES[type] ?? 'others'}/${attackId}`
  return {
    type,
    id: `${type}--${attackId.toLowerCase()}`,
    name,
    description: `About ${name}.`,
    created: '2025-01-01T00:00:00.000Z',
    modified: '2026-01-02T00:00:00.000Z',
    external_references: [
      { source_name: 'Tea Review', description: 'A review.', url: 'https://tea.example' },
      { source_name: 'mitre-attack', external_id: attackId, url },
    ],
    ...members,
  }
}

export function technique(attackId: string, name: string, members: object = {}): StixSample {
  const phases = { kill_chain_phases: [{ kill_chain_name: 'mitre-attack', phase_name: 'spilling' }] }
  return stixObject({ type: 'attack-pattern', attackId, name }, { ...phases, ...members })
}

/** A relation with a name that combines those of its ends. */
export function relation(type: string, source: StixSample, target: StixSample, members: object = {}): StixSample {
  return {
    type: 'relationship',
    id: `relationship--${type}-${source.id}-${target.id}`,
    relationship_type: type,
    source_ref: source.id,
    target_ref: target.id,
    ...members,
  }
}

const POUR = technique('T9001', 'Pour Over', {
  x_mitre_platforms: ['Pot', 'Cup'],
  x_mitre_detection: 'Look at the cloth.',
  x_mitre_version: '1.2',
})
const SLOWLY = technique('T9001.001', 'Slowly')
const SHAKE = technique('T9002', 'Shake', { revoked: true })
const BOIL = technique('T9003', 'Boil Dry', {
  x_mitre_deprecated: true,
  kill_chain_phases: [{ kill_chain_name: 'mitre-attack', phase_name: 'heating' }],
})
const SPILLING = stixObject(
  { type: 'x-mitre-tactic', attackId: 'TA9001', name: 'Spilling' },
  { x_mitre_shortname: 'spilling' },
)
const TRAY = stixObject({ type: 'course-of-action', attackId: 'M9001', name: 'Use a Tray' })
const OLD_TRAY = stixObject(
  { type: 'course-of-action', attackId: 'T9001', name: 'Pour Over Mitigation' },
  { x_mitre_deprecated: true },
)
const GUESTS = stixObject({ type: 'intrusion-set', attackId: 'G9001', name: 'The Guests' })
const KETTLE = stixObject({ type: 'tool', attackId: 'S9001', name: 'Kettle' })
const ANALYTIC = stixObject(
  { type: 'x-mitre-analytic', attackId: 'AN9001', name: 'Wet Cloth' },
  { x_mitre_platforms: ['Pot'] },
)
const WATCH = stixObject(
  { type: 'x-mitre-detection-strategy', attackId: 'DET9001', name: 'Watch the Cloth' },
  { x_mitre_analytic_refs: [ANALYTIC.id, 'x-mitre-analytic--elsewhere'] },
)
const CITED = [{ source_name: 'Pot Post', url: 'https://pot.example' }]

export const ATTACK: readonly StixSample[] = [
  SLOWLY,
  POUR,
  SHAKE,
  BOIL,
  SPILLING,
  TRAY,
  OLD_TRAY,
  GUESTS,
  KETTLE,
  ANALYTIC,
  WATCH,
  relation('subtechnique-of', SLOWLY, POUR),
  relation('revoked-by', SHAKE, POUR),
  relation('mitigates', TRAY, POUR, { description: 'A tray catches it.', external_references: CITED }),
  relation('uses', KETTLE, POUR, { description: ' The Kettle pours by itself.' }),
  relation('uses', GUESTS, POUR, { description: 'They pour at night.', external_references: CITED }),
  relation('uses', GUESTS, KETTLE),
  relation('uses', GUESTS, SLOWLY, { x_mitre_deprecated: true }),
  relation('detects', WATCH, POUR),
  { type: 'marking-definition', id: 'marking-definition--1' },
]

/** The name of a release of ATT&CK. */
export function collection(version: string, modified = '2026-01-03T00:00:00.000Z'): StixSample {
  return { type: 'x-mitre-collection', id: 'x-mitre-collection--1', name: 'Tea', x_mitre_version: version, modified }
}

export function attackBundle(objects: readonly unknown[] = [collection('18.1'), ...ATTACK]): string {
  return JSON.stringify({ type: 'bundle', id: 'bundle--1', objects })
}

/** Stores a domain of ATT&CK in a database. */
export function storeAttack(database: Database, document = attackBundle()): Promise<string> {
  return storeReference(database, 'attack', document)
}
