import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { searchIndex } from '../../../src/ontology/publish/site/pages.ts'
import { documentOf } from '../../search/small.ts'

it('The search index of a published tree shortens texts and marks deprecated records', () => {
  const documents = [
    documentOf('A', { kind: 'technique', id: 'D3-A', label: 'A', synonyms: ['B', 'C'], text: 'x'.repeat(401) }),
    documentOf('Old', { kind: 'artifact', label: 'Old', deprecated: true }),
  ]
  const files = searchIndex(documents, true)
  const text = String(files.get('search-index.json'))
  expect(JSON.parse(text)).toEqual([
    ['technique', 'd3f:A', 'D3-A', 'A', 'B; C', `${'x'.repeat(400)}…`],
    ['artifact', 'd3f:Old', '', 'Old', '', '', 1],
  ])
  expect(gunzipSync(files.get('search-index.json.gz') ?? '').toString()).toBe(text)
})
