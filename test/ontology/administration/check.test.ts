import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Parser, Store } from 'n3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { D3F, rdf, rdfs, sh } from '../../../src/graph/vocabulary.ts'
import { checkRelease, ReleaseFolder, writeCheckReport } from '../../../src/ontology/index.ts'
import { refusalOf } from '../../support/refusal.ts'
import { ingestInto } from '../../support/service.ts'

const SMALL = 'test/fixtures/ontology/small.ttl'
const OWN = `#+ summary: Nothing is a class.
#+ severity: error
PREFIX owl: <http://www.w3.org/2002/07/owl#>
SELECT ?subject ?detail WHERE { ?subject a owl:Class . BIND("a class" AS ?detail) }`

const PREFIX = '@prefix sh: <http://www.w3.org/ns/shacl#> .'
const SHAPES = `${PREFIX}
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
<urn:test:Labelled> a sh:NodeShape ; rdfs:label "At most no labels" ; sh:targetClass owl:Class ;
  sh:property [ sh:path rdfs:label ; sh:maxCount 0 ; sh:severity sh:Warning ; sh:message "No names, please." ] .
<urn:test:Idle> a sh:NodeShape ; sh:targetClass <urn:test:Nothing> ; sh:nodeKind sh:Literal .`

let dataDir = ''
let folder = new ReleaseFolder(dataDir)

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parapet-check-'))
  folder = new ReleaseFolder(dataDir)
  await ingestInto(dataDir, [SMALL], { version: '1.0.0', date: '2026-01-31' })
  await writeFile(join(dataDir, 'no class.rq'), OWN)
})

afterAll(async () => {
  await rm(dataDir, { recursive: true })
})

describe('The check of a release', () => {
  it('reports the findings of the ingest', async () => {
    const manifest = await folder.manifest('1.0.0')
    const { sha256, checks } = await checkRelease(folder, '1.0.0')
    expect(sha256).toBe(manifest?.sha256)
    expect(checks.map(({ name, violations }) => [name, violations.length])).toEqual(
      manifest?.checks.map(({ name, violations }) => [name, violations]),
    )
  })

  it.each(['', 'no class.rq'])('also runs the queries of an operator: %s', async (path) => {
    const { checks } = await checkRelease(folder, '1.0.0', { checks: join(dataDir, path) })
    expect(checks.at(-1)).toMatchObject({ name: 'no class', summary: 'Nothing is a class.', severity: 'error' })
    expect(checks.at(-1)?.violations).toContainEqual({ subject: 'd3f:Diary', detail: 'a class' })
  })

  it('validates by shapes and writes a SHACL report', async () => {
    const shapes = join(dataDir, 'shapes.ttl')
    await writeFile(shapes, SHAPES)
    const report = await checkRelease(folder, '1.0.0', { shapes })
    const [labelled, idle] = report.checks.slice(-2)
    expect(labelled).toMatchObject({ shape: 'urn:test:Labelled', summary: 'At most no labels' })
    expect([labelled?.severity, idle?.name, idle?.violations]).toEqual(['warning', 'urn:test:Idle', []])
    const diary = labelled?.violations.find(({ subject }) => subject === 'd3f:Diary')
    expect(diary).toMatchObject({ path: rdfs.label, detail: 'rdfs:label: No names, please.' })
    const turtle = writeCheckReport(report, {})
    const quads = new Store(new Parser().parse(turtle))
    const results = quads.getSubjects(rdf.type, sh.ValidationResult, null)
    const total = report.checks.reduce((count, check) => count + check.violations.length, 0)
    expect(results).toHaveLength(total)
    expect(quads.getObjects(null, sh.conforms, null)[0]?.value).toBe('false')
    const [ofDiary] = quads
      .getSubjects(sh.sourceShape, 'urn:test:Labelled', null)
      .filter((result) => quads.getObjects(result, sh.focusNode, null)[0]?.value === `${D3F}Diary`)
    expect(quads.getObjects(ofDiary ?? null, sh.resultSeverity, null)[0]?.value).toBe(sh.Warning)
  })

  it('validates by the bundled shapes', async () => {
    const { checks } = await checkRelease(folder, '1.0.0', { shapes: 'data/shapes' })
    const shapeChecks = checks.filter(({ shape }) => shape !== undefined)
    expect(shapeChecks.length).toBeGreaterThanOrEqual(8)
    expect(shapeChecks.find(({ name }) => name.endsWith(':Version'))?.violations).toEqual([])
  })

  it.each([
    ['nowhere.ttl', null, 'source_not_found'],
    ['empty.ttl', '# nothing', 'source_not_found'],
    ['broken.ttl', '<a> <b>', 'source_syntax'],
    ['beyond.ttl', `${PREFIX} <urn:x> sh:sparql [ sh:select "SELECT" ] .`, 'parameter_invalid'],
    [
      'wrong.ttl',
      `${PREFIX} <urn:x> a sh:NodeShape ; sh:targetNode <urn:y> ; sh:property [ sh:minCount 1 ] .`,
      'parameter_invalid',
    ],
  ])('refuses shapes that it cannot use: %s', async (name, text, code) => {
    const shapes = join(dataDir, name)
    if (text !== null) await writeFile(shapes, text)
    expect((await refusalOf(() => checkRelease(folder, '1.0.0', { shapes }))).code).toBe(code)
  })

  it('refuses missing or invalid shapes by name', async () => {
    const codeOf = async (version: string, path?: string): Promise<string> =>
      (await refusalOf(() => checkRelease(folder, version, { checks: path }))).code
    expect(await codeOf('9.9.9')).toBe('release_not_found')
    expect(await codeOf('1.0.0', join(dataDir, 'nowhere'))).toBe('source_not_found')
    expect(await codeOf('1.0.0', join(dataDir, 'ontology'))).toBe('source_not_found')
    const broken = join(dataDir, 'ontology', 'broken.rq')
    await writeFile(broken, 'SELECT ?subject WHERE {')
    expect(await codeOf('1.0.0', broken)).toBe('parameter_invalid')
  })
})
