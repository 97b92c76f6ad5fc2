import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  changedRecords,
  changesOf,
  readChangeFilter,
  filterOf,
} from '../../src/web/application/ontology/changes/changes.ts'
import { browserFound, chromiumBrowser } from '../support/browser.ts'
import { expectSound } from '../support/page-check.ts'
import { ingestInto, startService, STARTER, type TestService } from '../support/service.ts'

/** A technique that the first release has not. */
const MORE = `@prefix d3f: <http://d3fend.mitre.org/ontologies/d3fend.owl#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
d3f:BadgeReading a owl:Class, owl:NamedIndividual ;
  rdfs:label "Badge Reading" ; d3f:d3fend-id "D3-BR" ; d3f:definition "Reads badges." ;
  rdfs:subClassOf d3f:FileAnalysis .`

describe.runIf(browserFound)('The page of changes', () => {
  const surf = chromiumBrowser()
  let dataDir = ''
  let service: TestService

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'parapet-'))
    const extension = join(dataDir, 'more.ttl')
    await writeFile(extension, MORE)
    await ingestInto(dataDir, STARTER)
    await ingestInto(dataDir, [...STARTER, extension], { version: '0.2.0', date: '2030-01-01' })
    service = await startService(dataDir)
  })
  afterAll(async () => {
    await service.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('is reached from the picker, lists the changes, links to records, and is sound', async () => {
    const visit = await (await surf(service.baseUrl)).open('/matrix')
    const { page } = visit
    await page.getByRole('link', { name: 'Changes' }).click()
    await page.getByRole('heading', { name: /^Changes from .+ to 0\.2\.0$/, level: 1 }).waitFor()
    await page.getByRole('link', { name: '1', exact: true }).first().click()
    await page.getByText('1 record', { exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('?kind=technique&change=added')
    await expectSound(visit)
    await page.getByRole('link', { name: 'Badge Reading' }).click()
    await page.getByRole('heading', { name: 'Badge Reading', level: 1 }).waitFor()
    await page.getByText('What changed since').click()
    await page.locator('details').getByText('added').waitFor()
  })

  it('holds its records without scripts', async () => {
    const { page } = await (await surf(service.baseUrl)).open('/matrix')
    const path = await page.getByRole('link', { name: 'Changes' }).getAttribute('href')
    const served = async (): Promise<string> => {
      const { body } = await service.get(path ?? '', { headers: { Accept: 'text/html' } })
      return body.toString()
    }
    // The first answer may be without content: it is rendered in the meantime.
    await expect.poll(served).toContain('>Badge Reading</a>')
    const html = await served()
    expect(html).toContain('href="/technique/d3f:BadgeReading/')
    expect(html).toMatch(/<h1[^>]*>Changes from \S+ to 0\.2\.0/)
  })
})

describe('Changes', () => {
  const changeOf = (kind: string, name: string, change: string) => ({ kind, name, change, id: null, label: null })
  const moved = { ...changeOf('artifact', 'd3f:New', 're-identified'), old: ['d3f:Old'] }
  const changes = [
    changeOf('technique', 'd3f:Lock', 'renamed'),
    changeOf('technique', 'd3f:Lock', 'changed'),
    changeOf('artifact', 'd3f:File', 'changed'),
    moved,
  ]

  it('list each record once, with all of its changes', () => {
    const records = changedRecords(changes)
    expect(records.map(({ name, changes: recordChanges }) => [name, recordChanges.length])).toEqual([
      ['d3f:Lock', 2],
      ['d3f:File', 1],
      ['d3f:New', 1],
    ])
    const names = (query: Readonly<Record<string, string>>) =>
      filterOf(records, readChangeFilter(query)).map(({ name }) => name)
    expect(names({ change: 'changed' })).toEqual(['d3f:Lock', 'd3f:File'])
    expect(names({ change: 'changed', kind: 'artifact' })).toEqual(['d3f:File'])
    expect(names({ words: 'NEW d3f' })).toEqual(['d3f:New'])
    expect(names({ words: '', kind: '' })).toHaveLength(3)
  })

  it('of one record are found by its former name, too', () => {
    expect(changesOf(changes, 'd3f:Old')).toEqual([moved])
    expect(changesOf(changes, 'd3f:Nothing')).toEqual([])
  })
})
