import type { CitingRule, RuleSource } from '../../src/contracts/guidance-records.ts'
import type {
  ControlLink,
  CounterPath,
  Defense,
  OntologyContent,
  OntologyDocument,
  OntologyRelations,
} from '../../src/contracts/sources.ts'

function documentOf(
  kind: OntologyDocument['kind'],
  name: string,
  changes: Partial<OntologyDocument> = {},
): OntologyDocument {
  const label = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
  const identity = { kind, iri: `urn:${name}`, name: `d3f:${name}`, id: null, label }
  return {
    ...identity,
    synonyms: [],
    text: '',
    tactics: [],
    domain: null,
    deprecated: false,
    successors: [],
    ...changes,
  }
}

const HARDEN = [{ iri: 'urn:Harden', label: 'Harden' }]
const ENTRY = [{ iri: 'urn:TA0001', label: 'Entry' }]

const DOCUMENTS = [
  documentOf('technique', 'Bolting', { id: 'D3-B', tactics: HARDEN }),
  documentOf('technique', 'Watching', { id: 'D3-W' }),
  documentOf('tactic', 'Harden'),
  documentOf('tactic', 'TA0001', { id: 'TA0001', label: 'Entry' }),
  documentOf('offensive-technique', 'Picking', { id: 'T1', tactics: ENTRY }),
  documentOf('offensive-technique', 'SlowPicking', { id: 'T1.001', tactics: ENTRY }),
  documentOf('weakness', 'Rust', { id: 'CWE-2' }),
  documentOf('weakness', 'Solitude', { id: 'CWE-3', label: 'Alone' }),
  documentOf('artifact', 'Door'),
  documentOf('artifact', 'CellarDoor'),
  documentOf('cci', 'C15', { id: 'CCI-000015', label: 'CCI-000015' }),
  documentOf('control', 'NIST_AC2_1', { id: 'AC-2(1)', label: 'Keys' }),
  documentOf('control', 'NIST_AC9', { id: 'AC-9', label: 'Alone' }),
]

function linkOf(control: string, relation: string, technique: string): ControlLink {
  const kind = control.startsWith('CCI') ? 'cci' : 'control'
  return { control, label: control, kind, relation, technique: `urn:${technique}` }
}

const CONTENT: OntologyContent = {
  version: '1.0.0',
  digest: 'a'.repeat(64),
  documents: DOCUMENTS,
  tacticOrder: [],
  links: [linkOf('CCI-000015', 'narrower', 'Bolting'), linkOf('AC-2(1)', 'broader', 'Watching')],
}

const DOOR = { iri: 'urn:Door', label: 'Door' }
const CELLAR_DOOR = { iri: 'urn:CellarDoor', label: 'Cellar Door' }
const PICKING = { iri: 'urn:Picking', label: 'Picking' }
const SLOW_PICKING = { iri: 'urn:SlowPicking', label: 'Slow Picking' }
const RUST = { iri: 'urn:Rust', label: 'Rust' }

const BOLTING = {
  technique: 'urn:Bolting',
  relation: 'bolts',
  artifact: DOOR,
  by: { iri: 'urn:Bolting', label: 'Bolting', is: 'itself' },
} as const

export const COUNTERS: readonly CounterPath[] = [
  {
    ...BOLTING,
    otherArtifact: { ...CELLAR_DOOR, is: 'below' },
    otherRelation: 'opens',
    otherBy: { ...PICKING, is: 'itself' },
    other: { ...PICKING, kind: 'offensive-technique', id: 'T1' },
  },
  {
    ...BOLTING,
    otherArtifact: { ...DOOR, is: 'itself' },
    otherRelation: 'weakness-of',
    otherBy: { iri: 'urn:Decay', label: 'Decay', is: 'above' },
    other: { ...RUST, kind: 'weakness', id: 'CWE-2' },
  },
]

function defenseOf(subject: string, changes: Partial<Defense> = {}): Defense {
  const { technique, relation } = BOLTING
  return { subject, technique, relation, artifact: { ...DOOR, is: 'itself' }, attack: null, ...changes }
}

const PICKED = { relation: 'opens', artifact: CELLAR_DOOR } as const
const GUARDED = { artifact: { ...DOOR, is: 'above' } } as const

const DEFENSES: readonly Defense[] = [
  defenseOf('urn:Picking', { ...GUARDED, attack: { ...PICKED, by: { ...SLOW_PICKING, is: 'below' } } }),
  defenseOf('urn:SlowPicking', { ...GUARDED, attack: { ...PICKED, by: { ...SLOW_PICKING, is: 'itself' } } }),
  defenseOf('urn:CellarDoor', GUARDED),
]

/** Relations as the ontology answers them; lists end at the limit, as in the real one. */
export function ontologyOf(changes: Partial<OntologyRelations> = {}): OntologyRelations {
  return {
    current: () => ({ version: CONTENT.version, digest: CONTENT.digest }),
    content: () => Promise.resolve(CONTENT),
    counters: (techniques, limit) =>
      Promise.resolve(COUNTERS.filter(({ technique }) => techniques.includes(technique)).slice(0, limit)),
    defenses: (subjects, limit) =>
      Promise.resolve(DEFENSES.filter(({ subject }) => subjects.includes(subject)).slice(0, limit)),
    ...changes,
  }
}

/** A rule that cites some CCIs. */
export function ruleOf(ruleId: string, ccis: readonly string[]): CitingRule {
  return {
    kind: 'rule',
    iri: `https://example.org/${ruleId}`,
    ruleId,
    title: `Title of ${ruleId}`,
    ccis,
    identifiers: [],
    recordId: 1,
    severity: null,
    benchmark: { id: 1, kind: 'stig', benchmarkId: 'Lock_STIG', title: 'Lock STIG', version: 'V1R1' },
  }
}

const RULES = [
  ruleOf('SV-1r2_rule', ['CCI-000015', 'CCI-000999']),
  ruleOf('SV-2r1_rule', ['CCI-000016']),
  ruleOf('SV-3r1_rule', []),
]

/** A catalogue of these rules. */
export function rulesOf(rules: readonly CitingRule[] = RULES): RuleSource {
  return {
    controls: new Map([
      ['CCI-000016', 'AC-2 (1)'],
      ['CCI-000017', 'AC-9'],
      ['CCI-000018', 'ZZ-1 a'],
    ]),
    rule: (iri) => Promise.resolve(rules.find((rule) => rule.iri === iri) ?? null),
    similarity: () => Promise.resolve(new Map()),
    citing: (ccis, { limit }) => {
      const citing = rules.filter((rule) => rule.ccis.some((cci) => ccis.includes(cci)))
      return Promise.resolve({ rules: citing.slice(0, limit), isCut: citing.length > limit })
    },
  }
}
