import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ingest, type IngestOptions } from '../../../src/ontology/ingest/ingest.ts'
import { ReleaseFolder } from '../../../src/ontology/release/folder.ts'
import type { StoreOutcome } from '../../../src/ontology/release/store.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { refusalOf } from '../../support/refusal.ts'
import { withPrefixes } from '../../support/release.ts'

const ONTOLOGY = `<http://d3fend.mitre.org/ontologies/d3fend.owl> a owl:Ontology ;
  owl:versionInfo "1.0.0" ; :release-date "2026-01-31T00:00:00"^^xsd:dateTime .`
const FIRST = `${ONTOLOGY} :A rdfs:label "first" .`
const OTHER = `${ONTOLOGY} :A rdfs:label "other" .`

type Options = Partial<Omit<IngestOptions, 'sources'>>

/** An empty data folder, a way to write sources beside it, and ingests into it. */
class Workshop {
  readonly folder: ReleaseFolder
  readonly steps: string[] = []
  readonly #sources: string
  readonly #data: string

  private constructor(home: string) {
    this.#sources = home
    this.#data = join(home, 'data')
    this.folder = new ReleaseFolder(this.#data)
  }

  static async open(): Promise<Workshop> {
    return new Workshop(await temporaryFolder())
  }

  async source(name: string, turtle: string): Promise<string> {
    const file = join(this.#sources, name)
    await writeFile(file, name.endsWith('.ttl') ? withPrefixes(turtle) : turtle)
    return file
  }

  /** Ingests one Turtle document. */
  async ingest(turtle: string, options: Options = {}): Promise<StoreOutcome> {
    return this.ingestFiles([await this.source('onto.ttl', turtle)], options)
  }

  ingestFiles(sources: readonly string[], options: Options = {}): Promise<StoreOutcome> {
    const limits = { maxBytes: 1024 * 1024, timeoutMs: 1000 }
    const progress = { step: (name: string) => this.steps.push(name), bytes: () => undefined }
    return ingest(this.folder, { sources, ...limits, ...options }, progress)
  }

  /** Locks the data folder in the name of a process. */
  async lock(pid: number): Promise<void> {
    await mkdir(join(this.#data, 'ontology'), { recursive: true })
    await writeFile(join(this.#data, 'ontology', '.lock'), String(pid))
  }

  /** Every file below the data folder. */
  async written(): Promise<readonly string[]> {
    const entries = await readdir(this.#data, { recursive: true }).catch(() => [])
    return entries.filter((entry) => /\.(?:nq|json|tmp)$|active$|lock$/.test(entry)).sort()
  }
}

describe('ingest', () => {
  it('creates a release, stores it and serves it', async () => {
    const workshop = await Workshop.open()
    const { status, manifest } = await workshop.ingest(FIRST)
    expect(status).toBe('created')
    expect(manifest).toMatchObject({ version: '1.0.0', releaseDate: '2026-01-31T00:00:00' })
    expect(await workshop.folder.manifest('1.0.0')).toStrictEqual(manifest)
    expect(await workshop.folder.active()).toBe('1.0.0')
    expect(await workshop.written()).toStrictEqual([
      'ontology/active',
      `ontology/releases/1.0.0/${manifest.graphFile}`,
      'ontology/releases/1.0.0/manifest.json',
    ])
  })

  it('names the graph after the digest of its canonical text', async () => {
    const workshop = await Workshop.open()
    const { manifest } = await workshop.ingest(FIRST)
    const nquads = await workshop.folder.graph(manifest)
    expect(createHash('sha256').update(nquads).digest('hex')).toBe(manifest.sha256)
    expect(manifest.graphFile).toBe(`${manifest.sha256.slice(0, 16)}.nq`)
    expect(nquads.trim().split('\n')).toHaveLength(manifest.counts.statements)
  })

  it('records its sources and the prefixes they declare, the first declaration wins', async () => {
    const workshop = await Workshop.open()
    const first = await workshop.source('one.ttl', `@prefix x: <http://x.example/1/> .\n${FIRST}`)
    const second = await workshop.source('two.ttl', '@prefix x: <http://x.example/2/> . :B a x:C .')
    const { manifest } = await workshop.ingestFiles([first, second])
    expect(manifest.sources.map(({ name }) => name)).toStrictEqual([first, second])
    const content = await readFile(first)
    expect(manifest.sources[0]).toMatchObject({
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    })
    expect(manifest.prefixes['x']).toBe('http://x.example/1/')
    expect(Object.keys(manifest.prefixes)).not.toContain('')
    expect(manifest.prefixes['owl']).toBe('http://www.w3.org/2002/07/owl#')
  })

  it('counts the contents of a release', async () => {
    const workshop = await Workshop.open()
    const small = fileURLToPath(new URL('../../fixtures/ontology/small.ttl', import.meta.url))
    const { manifest } = await workshop.ingestFiles([small])
    expect(manifest.counts).toMatchObject({
      statements: 38,
      defensiveTechniques: 1,
      offensiveTechniques: 1,
      artifacts: 1,
      weaknesses: 1,
    })
    expect(manifest.checks.map(({ name }) => name)).toContain('missing-label')
  })

  it('reports its progress', async () => {
    const workshop = await Workshop.open()
    const file = await workshop.source('onto.ttl', FIRST)
    await workshop.ingestFiles([file])
    expect(workshop.steps[0]).toBe(`Parsing ${file}`)
    expect(workshop.steps.at(-1)).toBe('Writing')
  })

  it('turns restrictions on published classes into direct statements, once', async () => {
    const workshop = await Workshop.open()
    const restriction = '[ owl:onProperty :reads ; owl:someValuesFrom :File ]'
    const { manifest } = await workshop.ingest(`${ONTOLOGY}
      :reads rdfs:subPropertyOf :associated-with .
      :associated-with rdfs:subPropertyOf :may-be-associated-with .
      :Reading rdfs:subClassOf :OffensiveTechnique , ${restriction} .
      :Asserted rdfs:subClassOf :OffensiveTechnique , ${restriction} ; :reads :File .
      :Elsewhere rdfs:subClassOf :Thing , ${restriction} .
      :Odd rdfs:subClassOf :DigitalArtifact , [ owl:onProperty :odd ; owl:someValuesFrom :File ] .`)
    expect(manifest.counts.directFromRestrictions).toBe(1)
    const nquads = await workshop.folder.graph(manifest)
    expect(nquads).toMatch(/#Reading> <[^>]*#reads> <[^>]*#File>/)
    expect(nquads).not.toMatch(/#Elsewhere> <[^>]*#reads>/)
    expect(nquads).not.toMatch(/#Odd> <[^>]*#odd>/)
  })
})

describe('ingest of a version that exists', () => {
  it.each([{}, { replace: false }])('refuses other content (%j), keeping it', async (options) => {
    const workshop = await Workshop.open()
    const { manifest } = await workshop.ingest(FIRST)
    const before = await workshop.written()
    const refusal = await refusalOf(() => workshop.ingest(OTHER, options))
    expect(refusal.code).toBe('version_taken')
    expect(refusal.message).toContain('--replace')
    expect(await workshop.folder.manifest('1.0.0')).toStrictEqual(manifest)
    expect(await workshop.written()).toStrictEqual(before)
  })

  it('replaces its content on request', async () => {
    const workshop = await Workshop.open()
    await workshop.ingest(FIRST)
    const { status, manifest } = await workshop.ingest(OTHER, { replace: true })
    expect(status).toBe('replaced')
    expect(await workshop.folder.graph(manifest)).toContain('"other"')
    expect(await workshop.written()).toHaveLength(3)
  })

  it('repairs a damaged manifest on request', async () => {
    const workshop = await Workshop.open()
    const { manifest } = await workshop.ingest(FIRST)
    const file = join(workshop.folder.root, 'releases', '1.0.0', 'manifest.json')
    await writeFile(file, (await readFile(file, 'utf8')).replace('onto.ttl', 'onto.tt1'))
    const refusal = await refusalOf(() => workshop.ingest(FIRST))
    expect(refusal.code).toBe('folder_unusable')
    expect(refusal.message).toContain('--replace')
    const { status } = await workshop.ingest(FIRST, { replace: true })
    expect(status).toBe('replaced')
    const { sha256, sources } = manifest
    expect(await workshop.folder.manifest('1.0.0')).toMatchObject({ sha256, sources })
  })

  it('repairs a damaged graph if the content is the same', async () => {
    const workshop = await Workshop.open()
    const { manifest } = await workshop.ingest(FIRST)
    await writeFile(workshop.folder.graphPath(manifest), 'damaged')
    expect(await workshop.ingest(FIRST)).toMatchObject({ status: 'replaced' })
    expect(await workshop.folder.isIntact(manifest)).toBe(true)
  })

  it('leaves it unchanged if the content is the same', async () => {
    const workshop = await Workshop.open()
    const { manifest } = await workshop.ingest(`${FIRST} :A :p [ rdfs:label "x" ] .`)
    const again = await workshop.ingest(`:A :p _:other . _:other rdfs:label "x" . ${FIRST}`)
    expect(again).toMatchObject({ status: 'unchanged', manifest })
    expect(await workshop.folder.manifest('1.0.0')).toStrictEqual(manifest)
  })

  it('activates it again, even unchanged', async () => {
    const workshop = await Workshop.open()
    await workshop.ingest(FIRST)
    await workshop.ingest(FIRST, { version: '2.0.0' })
    expect(await workshop.folder.active()).toBe('2.0.0')
    expect((await workshop.ingest(FIRST)).status).toBe('unchanged')
    expect(await workshop.folder.active()).toBe('1.0.0')
  })
})

describe('ingest that is not to be served', () => {
  it('keeps serving nothing', async () => {
    const workshop = await Workshop.open()
    expect((await workshop.ingest(FIRST, { activate: false })).status).toBe('created')
    expect(await workshop.folder.active()).toBeNull()
  })

  it('keeps serving the release before it', async () => {
    const workshop = await Workshop.open()
    await workshop.ingest(FIRST)
    await workshop.ingest(OTHER, { version: '2.0.0', activate: false })
    expect(await workshop.folder.active()).toBe('1.0.0')
    expect([...(await workshop.folder.versions())].sort()).toStrictEqual(['1.0.0', '2.0.0'])
  })
})

describe('ingest writes nothing', () => {
  it('while another process writes releases', async () => {
    const workshop = await Workshop.open()
    await workshop.lock(process.ppid)
    expect((await refusalOf(() => workshop.ingest(FIRST))).code).toBe('folder_unusable')
    expect(await workshop.written()).toStrictEqual(['ontology/.lock'])
  })

  it.each([
    { what: 'is not well-formed', turtle: ':A rdfs:label .', code: 'source_syntax' },
    { what: 'states nothing', turtle: '# nothing', code: 'source_empty' },
    { what: 'has no version', turtle: ':A rdfs:label "A" .', code: 'version_unknown' },
    { what: 'has no date', turtle: ':A rdfs:label "A" .', options: { version: '1.0.0' }, code: 'version_unknown' },
    { what: 'is larger than the limit', turtle: FIRST, options: { maxBytes: 10 }, code: 'source_too_large' },
    {
      what: 'is in a format that does not exist',
      turtle: FIRST,
      options: { format: 'x' },
      code: 'source_format_unknown',
    },
    {
      what: 'fails a check with --strict',
      turtle: `${FIRST} :A rdfs:label "b" .`,
      options: { strict: true },
      code: 'checks_failed',
    },
  ])('when a source $what', async ({ turtle, options, code }) => {
    const workshop = await Workshop.open()
    expect((await refusalOf(() => workshop.ingest(turtle, options))).code).toBe(code)
    expect(await workshop.written()).toStrictEqual([])
  })

  it('when the last of several sources is missing or broken', async () => {
    const workshop = await Workshop.open()
    const good = await workshop.source('good.ttl', FIRST)
    const bad = await workshop.source('bad.ttl', ':A :B')
    for (const last of [bad, `${bad}.gone`]) {
      const refusal = await refusalOf(() => workshop.ingestFiles([good, last]))
      expect(refusal.message).toContain(last)
    }
    expect(await workshop.written()).toStrictEqual([])
  })
})

describe('ingest --strict', () => {
  it('names the checks that fail', async () => {
    const workshop = await Workshop.open()
    const refusal = await refusalOf(() => workshop.ingest(`${FIRST} :A rdfs:label "second" .`, { strict: true }))
    expect(refusal.message).toContain('several-labels (1)')
    expect(refusal.members['checks']).toMatchObject([{ name: 'several-labels', violations: 1 }])
  })

  it('accepts sources that pass every check', async () => {
    const workshop = await Workshop.open()
    const { manifest } = await workshop.ingest(FIRST, { strict: true })
    expect(manifest.checks.every(({ violations }) => violations === 0)).toBe(true)
  })
})
