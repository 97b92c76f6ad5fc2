import type { RuleBenchmark, GuidanceMatch } from '../../src/contracts/guidance-records.ts'
import type { OntologyContent, OntologyDocument } from '../../src/contracts/sources.ts'
import { indexOntology, type OntologyIndex } from '../../src/search/knowledge/ontology-index.ts'
import type { MemoryRecord } from './memory-feed.ts'

const D3F = 'http://d3fend.mitre.org/ontologies/d3fend.owl#'
const HARDEN = { iri: `${D3F}Harden`, label: 'Harden' }

export function documentOf(
  name: string,
  facts: Partial<OntologyDocument> & Pick<OntologyDocument, 'kind' | 'label'>,
): OntologyDocument {
  const usual = { id: null, synonyms: [], text: '', tactics: [], domain: null, deprecated: false, successors: [] }
  return { iri: D3F + name, name: `d3f:${name}`, ...usual, ...facts }
}

/** A few records of an ontology. */
export const CONTENT: OntologyContent = {
  version: '1.0',
  digest: 'a'.repeat(64),
  documents: [
    documentOf('AccountLocking', {
      kind: 'technique',
      id: 'D3-AL',
      label: 'Account Locking',
      tactics: [HARDEN],
      text: 'Temporarily disabling an account after failed logins.',
    }),
    documentOf('Decoy', { kind: 'technique', id: 'D3-DE', label: 'Decoy Environment', synonyms: ['Honeypot'] }),
    documentOf('T1110', { kind: 'offensive-technique', id: 'T1110', label: 'Brute Force' }),
    documentOf('T1110.001', { kind: 'offensive-technique', id: 'T1110.001', label: 'Password Guessing' }),
    documentOf('CWE-22', {
      kind: 'weakness',
      id: 'CWE-22',
      label: "Improper Limitation of a Pathname to a Restricted Directory ('Path Traversal')",
    }),
    documentOf('CCI-000044_v1', { kind: 'cci', id: 'CCI-000044', label: 'CCI-000044' }),
    documentOf('Forgery', { kind: 'weakness', id: 'CWE-352', label: 'Cross-Site Request Forging (CSRF)' }),
  ],
  tacticOrder: [],
  links: [
    {
      control: 'CCI-000044',
      label: 'CCI-000044',
      kind: 'cci',
      relation: 'narrower',
      technique: `${D3F}AccountLocking`,
    },
    {
      control: 'AC-7',
      label: 'Logon Attempts',
      kind: 'control',
      relation: 'related',
      technique: `${D3F}AccountLocking`,
    },
  ],
}

/** As `data/controls` has them. */
export const CCIS: ReadonlyMap<string, readonly string[]> = new Map([
  ['CCI-000044', ['AC-7']],
  ['CCI-000015', ['AC-2 (1)']],
])

export const CONTROL_NAMES: ReadonlyMap<string, string> = new Map([['AC-2', 'Account Management']])

export function smallIndex(content: OntologyContent | null = CONTENT): Promise<OntologyIndex> {
  return indexOntology(content, [], {
    ccis: [...CCIS.keys()],
    controlsOf: (cci) => CCIS.get(cci) ?? [],
    controlNames: CONTROL_NAMES,
    abbreviations: [['SSH', 'Secure Shell']],
  })
}

const BENCHMARK: RuleBenchmark = {
  id: 1,
  kind: 'stig',
  benchmarkId: 'Samovar_STIG',
  title: 'Samovar STIG',
  version: 'V1R1',
}

/** A rule of a STIG with what a test wants to say of it. */
export function ruleOf(
  recordId: number,
  title: string,
  facts: Partial<GuidanceMatch> & Pick<MemoryRecord, 'readers'> & { readonly fix?: string } = {},
): MemoryRecord {
  const { readers, fix = '', ...match } = facts
  return {
    match: {
      kind: 'rule',
      recordId,
      title,
      iri: null,
      path: `/stigs/1`,
      severity: 'medium',
      status: null,
      component: null,
      ccis: [],
      benchmark: BENCHMARK,
      names: [`SV-${700_000 + recordId}r1_rule`],
      ...match,
    },
    texts: [
      { field: 'title', text: title },
      { field: 'fixtext', text: fix },
    ],
    ...(readers && { readers }),
  }
}
