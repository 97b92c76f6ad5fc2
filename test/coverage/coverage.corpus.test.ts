import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { CoverageReport, CoverageSource } from '../../src/contracts/coverage.ts'
import { coverageIn } from '../../src/coverage/coverage.ts'
import { findCounters } from '../../src/ontology/documents/counters.ts'
import { findContent } from '../../src/ontology/documents/documents.ts'
import { readRelease } from '../../src/ontology/release/release.ts'
import { CORPUS } from '../support/corpus.ts'
import { ccisByRule, ontologyOf, techniquesByCci } from '../support/plain-links.ts'
import { manifestOf } from '../support/release.ts'
import { noneStored } from '../support/stored-releases.ts'

const PUBLISHED = join(CORPUS, 'ontology/d3fend-0.17.0.ttl')
const MAPPINGS = join(CORPUS, 'ontology/golden-0.17.0/api/ontology/inference/onto-full-mappings.csv')
const STIGS = ['RHEL_9_STIG_V2R7', 'Kubernetes_STIG_V1R2', 'ASD_STIG_V6R4', 'Web_Server_SRG_V4R4']
const files = STIGS.map((name) => join(CORPUS, `xccdf/U_${name}_Manual-xccdf.xml`))
const isPresent = [PUBLISHED, MAPPINGS, ...files].every((path) => existsSync(path))

function sourceOf(file: string, id: number): CoverageSource {
  const rules = Array.from(ccisByRule(readFileSync(file, 'utf8')), ([ruleId, ccis]) => ({
    ruleId,
    ccis,
    title: ruleId,
    severity: 'medium',
    status: null,
    path: `/stigs/${id}`,
  }))
  const name = STIGS[id] ?? ''
  return { kind: 'stig', id, name, title: name, version: 'V1R1', path: `/stigs/${id}`, rules }
}

const pairSchema = z.array(z.object({ query_def_tech_label: z.string(), off_tech: z.string() }))

/** IRIs of the attacks that the published mappings have for a technique, by its label. */
function publishedAttacks(): ReadonlyMap<string, ReadonlySet<string>> {
  const rows = pairSchema.parse(parse(readFileSync(MAPPINGS), { columns: true }))
  const met = new Map<string, Set<string>>()
  for (const { query_def_tech_label: label, off_tech } of rows)
    met.set(label, (met.get(label) ?? new Set()).add(off_tech))
  return met
}

describe.skipIf(!isPresent)('The coverage of four documents by D3FEND 0.17.0', () => {
  let report: CoverageReport
  let rules: ReadonlyMap<string, readonly string[]>
  let reached: ReadonlyMap<string, ReadonlySet<string>>

  beforeAll(async () => {
    const graph = ontologyOf(PUBLISHED)
    reached = techniquesByCci(graph)
    const release = await readRelease(graph, manifestOf())
    const content = await findContent(release)
    const ontology = {
      current: () => content,
      content: () => Promise.resolve(content),
      counters: (techniques: readonly string[], limit = 0) => Promise.resolve(findCounters(release, techniques, limit)),
      defenses: () => Promise.resolve([]),
    }
    const coverage = coverageIn(ontology, noneStored)
    report = await coverage.report({
      release: null,
      sources: files.map(sourceOf),
      against: null,
      domains: [],
      relations: [],
    })
    rules = new Map(files.flatMap((file) => [...ccisByRule(readFileSync(file, 'utf8'))]))
  })

  /** Rules by technique, from bare statements and texts. */
  function rulesByTechnique(): ReadonlyMap<string, ReadonlySet<string>> {
    const byTechnique = new Map<string, Set<string>>()
    for (const [rule, ccis] of rules)
      for (const technique of ccis.flatMap((cci) => [...(reached.get(cci) ?? [])]))
        byTechnique.set(technique, (byTechnique.get(technique) ?? new Set()).add(rule))
    return byTechnique
  }

  const namesOf = (places: readonly number[]): ReadonlySet<string> =>
    new Set(places.map((index) => report.rules[index]?.rule_id ?? ''))

  it('has the rules of every technique that plain loops find, and no others', () => {
    const rulesByIri = report.defensive_techniques.map(
      (technique) => [technique.iri, namesOf(technique.rules)] as const,
    )
    expect(new Map(rulesByIri)).toStrictEqual(rulesByTechnique())
    expect(report.summary.defensive_techniques).toStrictEqual({ covered: rulesByIri.length, total: 202 })
    expect(rulesByIri.length).toBeGreaterThan(30)
  })

  it('has the rules of every attack that the published mappings of their techniques name', () => {
    const expected = new Map<string, Set<string>>()
    const published = publishedAttacks()
    const labels = new Map(report.defensive_techniques.map(({ iri, label }) => [iri, label]))
    for (const [technique, ownRules] of rulesByTechnique())
      for (const attack of published.get(labels.get(technique) ?? '') ?? [])
        expected.set(attack, new Set([...(expected.get(attack) ?? []), ...ownRules]))
    const rulesByIri = report.offensive_techniques.map((attack) => [attack.iri, namesOf(attack.rules)] as const)
    expect(new Map(rulesByIri)).toStrictEqual(expected)
    expect(rulesByIri.length).toBeGreaterThan(200)
  })

  it('has a path to each attack, and names the attacks without one', () => {
    const { offensive_techniques, defensive_techniques, gaps } = report
    const techniqueIds = new Set(defensive_techniques.map(({ id }) => id))
    for (const { defenses } of offensive_techniques) {
      expect(defenses.length).toBeGreaterThan(0)
      for (const { technique, ways } of defenses) {
        expect(techniqueIds).toContain(technique)
        expect(ways.length).toBeGreaterThan(0)
      }
    }
    expect(offensive_techniques.length + gaps.offensive_techniques.length).toBe(780)
    expect(defensive_techniques.length + gaps.defensive_techniques.length).toBe(202)
    const linked = report.rules.filter(({ links }) => links.length > 0)
    expect(gaps.rules.length + linked.length).toBe(report.rules.length)
    const cited = new Set([...rules.values()].flat())
    expect(new Set(gaps.ccis)).toStrictEqual(new Set([...cited].filter((cci) => (reached.get(cci)?.size ?? 0) === 0)))
  })
})
