import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ReferenceRecord, ReferenceText } from '../../src/contracts/search-feed.ts'
import { temporaryFolder } from '../support/folder.ts'
import { ask, openSearcher, type SearchUnderTest } from './in-memory.ts'
import { MemoryFeed } from './memory-feed.ts'
import { CONTENT, documentOf } from './small.ts'

function recordOf(
  kind: ReferenceRecord['kind'],
  id: string,
  { texts = [], ...more }: Partial<ReferenceRecord> = {},
): ReferenceRecord {
  const none = { label: id, synonyms: [], tactics: [], domain: null, deprecated: false }
  return { kind, id, ...none, path: `/api/catalogue/${kind}/${id}.json`, texts, ...more }
}

function text(field: ReferenceText['field'], words: string): ReferenceText {
  return { field, text: words }
}

const REFERENCE: readonly ReferenceRecord[] = [
  recordOf('offensive-technique', 'T1110', {
    label: 'Brute Force',
    texts: [text('definition', 'Guessing without knowledge.'), text('procedure', 'Teapot Gang sprayed the samovar.')],
  }),
  recordOf('offensive-technique', 'T9404', { label: 'Tilt', tactics: ['TA9001', 'TA9002'], domain: 'mobile-attack' }),
  recordOf('weakness', 'CWE-22', {
    synonyms: ['Upward climbing'],
    texts: [text('observed', 'CVE-2020-9999: A kettle boiled itself dry.')],
  }),
  recordOf('cci', 'CCI-009999', { texts: [text('definition', 'Descale the boiler quarterly.')] }),
  recordOf('control', 'AC-2', { label: 'Account Management', texts: [text('definition', 'Manage stewards.')] }),
  recordOf('cci', 'CCI-000044', { deprecated: true }),
]

const TACTIC = documentOf('TA9001', { kind: 'tactic', id: 'TA9001', label: 'Spilling' })
const WITH_TACTIC = { ...CONTENT, documents: [...CONTENT.documents, TACTIC] }

async function givenReference(reference = REFERENCE, dumpFile: string | null = null): Promise<SearchUnderTest> {
  const feed = new MemoryFeed([])
  feed.reference = reference
  return openSearcher(feed, WITH_TACTIC, dumpFile)
}

async function first(query: string, search?: SearchUnderTest) {
  const { results } = await ask(search ?? (await givenReference()), query, { isExplained: true, isGrouped: false })
  return results[0]
}

describe('A search with reference data', () => {
  it.each([
    ['sprayed the samovar', 'T1110', 'procedure'],
    ['kettle boiled itself dry', 'CWE-22', 'observed'],
    ['descale the boiler', 'CCI-009999', 'definition'],
  ])('finds "%s" in a separate field', async (query, id, field) => {
    const result = await first(query)
    expect(result).toMatchObject({ id, matched: { by: 'text', field } })
    expect(new Set(result?.explanation?.terms.flatMap(({ said }) => said.flatMap(({ fields }) => fields)))).toEqual(
      new Set([field]),
    )
  })

  it('prefers the texts of the ontology', async () => {
    expect(await first('sprayed the samovar')).toMatchObject({ iri: CONTENT.documents[2]?.iri, label: 'Brute Force' })
  })

  it('finds a weakness by an alternate term', async () => {
    expect(await first('upward climbing')).toMatchObject({ id: 'CWE-22' })
  })

  it('finds a weakness by what code checkers find, without reference data', async () => {
    const result = await first('pickle and jsonpickle', await givenReference([recordOf('weakness', 'CWE-502')]))
    expect(result).toMatchObject({ id: 'CWE-502', matched: { by: 'text', field: 'finding' } })
  })

  it('finds records that the ontology does not have, with their tactics and documents', async () => {
    expect(await first('T9404')).toMatchObject({
      iri: null,
      label: 'Tilt',
      domain: 'mobile-attack',
      path: '/api/catalogue/offensive-technique/T9404.json',
      tactics: [{ id: 'd3f:TA9001', label: 'Spilling' }],
    })
    expect(await first('manage stewards')).toMatchObject({ id: 'AC-2', label: 'Account Management' })
  })

  it('says which CCIs are deprecated', async () => {
    const { results } = await ask(await givenReference(), 'CCI-000044')
    expect(results.find(({ id }) => id === 'CCI-000044')).toMatchObject({ deprecated: true })
  })

  it('lists each record once', async () => {
    const { results } = await ask(await givenReference(), 'AC-2', { perPage: 100 })
    const named = results.map(({ kind, id }) => `${kind} ${id}`)
    expect(new Set(named).size).toBe(named.length)
  })
})

describe('New reference data', () => {
  it('is loaded while the search runs', async () => {
    const search = await givenReference([])
    expect(await first('descale the boiler', search)).toBeUndefined()
    search.feed.reference = REFERENCE
    void search.searcher.keepUp()
    await expect.poll(async () => (await first('descale the boiler', search))?.id).toBe('CCI-009999')
    search.feed.reference = []
    await expect.poll(() => first('descale the boiler', search)).toBeUndefined()
    await search.searcher.close()
  })

  it('is saved with the index, and read again if it has changed', async () => {
    const file = join(await temporaryFolder(), 'index')
    const search = await givenReference(REFERENCE, file)
    await search.searcher.save()
    expect((await first('descale the boiler', await givenReference(REFERENCE, file)))?.id).toBe('CCI-009999')
    expect(await first('descale the boiler', await givenReference([], file))).toBeUndefined()
  })
})
