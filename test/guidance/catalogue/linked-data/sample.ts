import { randomUUID } from 'node:crypto'
import type { ControlAssertion, ControlAssertions, OntologyControls } from '../../../../src/contracts/sources.ts'
import { D3F } from '../../../../src/graph/vocabulary.ts'
import type { Release } from '../../../../src/guidance/catalogue/benchmarks/releases.ts'
import { CatalogueGraph } from '../../../../src/guidance/catalogue/linked-data/graph/catalogue-graph.ts'
import type { CatalogueSource } from '../../../../src/guidance/catalogue/linked-data/graph/catalogue-source.ts'
import type { Benchmark, BenchmarkHead, Discussion, Rule } from '../../../../src/guidance/catalogue/xccdf/benchmark.ts'
import { notFound } from '../../../../src/http/input.ts'
import { createLog } from '../../../../src/platform/log.ts'
import { recordOf } from '../../../../src/platform/records.ts'
import { DISCUSSION_TEXTS } from '../../../../src/tables/field-lists.ts'
import { noneStored } from '../../../support/stored-releases.ts'

export const BASE = 'https://guidance.example'
export const GUIDANCE = `${BASE}/ns/guidance#`

const CCI_SYSTEM = 'http://cyber.mil/cci'

const SILENCE: Discussion = { ...recordOf(DISCUSSION_TEXTS, () => null), documentable: false }

/** A rule that names these CCIs. */
export function ruleOf(ruleId: string, ccis: readonly string[], changes: Partial<Rule> = {}): Rule {
  return {
    ruleId,
    groupId: 'V-1',
    groupTitle: 'SRG-OS-000001-GPOS-00001',
    version: 'TEST-00-000001',
    title: `Title of ${ruleId}`,
    severity: 'medium',
    weight: '10.0',
    status: null,
    discussion: { ...SILENCE, vuln_discussion: 'Why.' },
    checks: [{ system: null, contentRefName: null, contentRefHref: null, content: 'Look.' }],
    fixes: [{ fixref: null, fixId: null, text: 'Mend.' }],
    idents: ccis.map((value) => ({ system: CCI_SYSTEM, value })),
    references: [],
    ...changes,
  }
}

export function benchmarkOf(changes: Partial<Benchmark> = {}): Benchmark {
  return {
    xccdf: '1.1',
    kind: 'stig',
    benchmarkId: 'Test_STIG',
    title: 'A test',
    version: 'V1R1',
    releaseDate: '2026-01-31',
    status: 'accepted',
    statusDate: '2026-01-30',
    description: 'About the test.',
    language: 'en',
    publisher: 'A publisher',
    source: 'A source',
    rules: [ruleOf('SV-1_rule', ['CCI-000015']), ruleOf('SV-2_rule', ['CCI-000366'])],
    ...changes,
  }
}

/** A catalogue in memory that can be changed, and counts what it is asked. */
export class SampleCatalogue implements CatalogueSource {
  readonly benchmarks: { readonly release: Release; readonly benchmark: Benchmark }[] = []
  lists = 0
  reads = 0

  list(): Promise<readonly Release[]> {
    this.lists += 1
    return Promise.resolve(this.benchmarks.map(({ release }) => release))
  }

  head(id: number): Promise<BenchmarkHead> {
    this.reads += 1
    const found = this.benchmarks.find(({ release }) => release.id === id)
    return found === undefined ? Promise.reject(notFound()) : Promise.resolve(found.benchmark)
  }

  /** One at a time, so that there are several portions. */
  async *rules(id: number): AsyncGenerator<readonly Rule[]> {
    const found = this.benchmarks.find(({ release }) => release.id === id)
    for (const rule of found?.benchmark.rules ?? []) yield await Promise.resolve([rule])
  }

  add(benchmark: Benchmark, id = this.benchmarks.length + 1): void {
    this.benchmarks.push({ benchmark, release: releaseOf(benchmark, id) })
  }

  remove(id: number): void {
    const index = this.benchmarks.findIndex(({ release }) => release.id === id)
    this.benchmarks.splice(index, 1)
  }

  replace(id: number, benchmark: Benchmark): void {
    const index = this.benchmarks.findIndex(({ release }) => release.id === id)
    this.benchmarks.splice(index, 1, { benchmark, release: releaseOf(benchmark, id) })
  }
}

function releaseOf({ kind, benchmarkId, version, title, rules }: Benchmark, id: number): Release {
  return {
    id,
    kind,
    benchmarkId,
    version,
    title,
    name: title,
    line: benchmarkId,
    releaseDate: null,
    core: false,
    digest: randomUUID(),
    ruleCount: rules.length,
    severityCounts: { high: 0, medium: rules.length, low: 0 },
  }
}

/** An ontology whose release can be swapped. */
export class SampleOntology implements OntologyControls {
  release: ControlAssertions | null
  asked = 0
  readonly stored = noneStored

  constructor(release: ControlAssertions | null = controlsOf()) {
    this.release = release
  }

  opened(): Promise<ControlAssertions | null> {
    return Promise.resolve(this.release)
  }

  controls(): Promise<ControlAssertions> {
    this.asked += 1
    if (this.release === null) return Promise.reject(new Error('There is no release'))
    return Promise.resolve(this.release)
  }
}

/**
 * CCI-000015 is broader than two techniques, CCI-000044 exactly one of them; AC-2(1) bears on one.
 * A third technique has nothing.
 */
export function controlsOf(changes: Partial<ControlAssertions> = {}): ControlAssertions {
  return {
    version: '1.0.0',
    digest: 'a'.repeat(64),
    releaseDate: '2026-01-02T00:00:00',
    techniques: [
      technique('AccountLocking', 'Account Locking', 'D3-AL'),
      technique('FileAnalysis', 'File Analysis', 'D3-FA'),
      technique('LocalAccountMonitoring', 'Local Account Monitoring', 'D3-LAM'),
    ],
    assertions: [
      assertion(['CCI-000015_v2022', 'CCI-000015'], 'broader', 'AccountLocking'),
      assertion(['CCI-000015_v2022', 'CCI-000015'], 'broader', 'LocalAccountMonitoring'),
      assertion(['CCI-000044_v2022', 'CCI-000044'], 'exactly', 'AccountLocking'),
      assertion(['NIST_AC-2_1', 'AC-2(1)'], 'narrower', 'AccountLocking'),
    ],
    ...changes,
  }
}

export function technique(name: string, label: string, d3fendId: string): ControlAssertions['techniques'][number] {
  return { iri: D3F + name, label, d3fendId, tactics: [{ iri: `${D3F}Evict`, label: 'Evict' }] }
}

export function assertion(
  [control, label]: readonly [string, string],
  relation: string,
  reached: string,
): ControlAssertion {
  return {
    kind: `${D3F}${label.startsWith('CCI') ? 'CCIControl' : 'NISTControl'}`,
    control: D3F + control,
    label,
    relation: D3F + relation,
    technique: D3F + reached,
  }
}

/** A graph of sample sources; the caller closes it. */
export function graphOf(
  source: CatalogueSource,
  ontology: OntologyControls | null = new SampleOntology(),
): CatalogueGraph {
  return new CatalogueGraph({ source, ontology, baseUrl: BASE, log: createLog('silent') })
}
