import type { CoverageRule, CoverageSource } from '../../src/contracts/coverage.ts'
import type { AttackDomain, CounterPath, OntologyDocument } from '../../src/contracts/sources.ts'
import type { OntologyPaths } from '../../src/coverage/ontology-paths.ts'
import { documentOf } from '../search/small.ts'

const LOCKING = documentOf('AccountLocking', { kind: 'technique', id: 'D3-AL', label: 'Account Locking' })
const ACCOUNT = { iri: 'http://d3fend.mitre.org/ontologies/d3fend.owl#UserAccount', label: 'Account' }

/** Three CCIs that lead to one technique, which meets attacks with these ids, all for enterprises. */
export function pathsTo(...attackIds: readonly string[]): OntologyPaths {
  return pathsWithDomains(Object.fromEntries(attackIds.map((id) => [id, 'enterprise-attack'])))
}

/** A small paths whose attacks have the given domains, by id. */
export function pathsWithDomains(domains: Readonly<Record<string, AttackDomain>>): OntologyPaths {
  const attacks = Object.entries(domains).map(([id, domain]) =>
    documentOf(id, { kind: 'offensive-technique', id, label: `Attack ${id}`, domain }),
  )
  const link = (control: string, relation: string) => ({
    control,
    label: control,
    kind: 'cci' as const,
    relation,
    technique: LOCKING.iri,
  })
  return {
    release: { version: '1.0', digest: 'a'.repeat(64) },
    links: new Map([
      ['CCI-000044', [link('CCI-000044', 'narrower')]],
      ['CCI-000045', [link('CCI-000045', 'narrower')]],
      ['CCI-002238', [link('CCI-002238', 'related')]],
    ]),
    techniques: new Map([[LOCKING.iri, LOCKING]]),
    attacks: new Map(attacks.map((attack) => [attack.iri, attack])),
    domains: [...new Set(Object.values(domains))],
    tacticOrder: [],
    tacticDomains: new Map(),
    counterPaths: new Map([[LOCKING.iri, attacks.flatMap(waysTo)]]),
    defenders: new Map(attacks.map(({ iri }) => [iri, [LOCKING.iri]])),
  }
}

/** Two ways to an attack, by what it reads and by what it changes. */
function waysTo({ iri, label, id }: OntologyDocument): readonly CounterPath[] {
  const self = { ...ACCOUNT, is: 'itself' as const }
  return ['accesses', 'modifies'].map((otherRelation) => ({
    technique: LOCKING.iri,
    by: { iri: LOCKING.iri, label: LOCKING.label, is: 'itself' },
    relation: 'disables',
    artifact: ACCOUNT,
    otherArtifact: self,
    otherRelation,
    otherBy: { iri, label, is: 'itself' },
    other: { iri, label, kind: 'offensive-technique', id },
  }))
}

export function sourceOf(name: string, rules: Readonly<Record<string, readonly string[]>>): CoverageSource {
  const shaped = Object.entries(rules).map(([ruleId, ccis]): CoverageRule => ({
    ruleId,
    ccis,
    title: ruleId,
    severity: 'medium',
    status: null,
    path: '/stigs/1',
  }))
  return { kind: 'stig', id: 1, name, title: name, version: 'V1R1', path: '/stigs/1', rules: shaped }
}
