import { expect, it } from 'vitest'
import { formatPublicManifest } from '../../../src/ontology/administration/public-manifest.ts'
import { parseManifest } from '../../../src/ontology/release/manifest.ts'
import { manifestOf } from '../../support/release.ts'

it.each([
  ['/srv/secret/d3fend.ttl', 'd3fend.ttl'],
  ['https://ada:secret@x.example/a/d3fend.ttl?token=secret#secret', 'https://x.example/a/d3fend.ttl'],
  ['standard input', 'standard input'],
])('A public manifest names the source %s as %s', (name, publicName) => {
  const source = { name, sha256: 'a'.repeat(64), bytes: 1 }
  const text = formatPublicManifest(manifestOf({ sources: [source] }))
  expect(parseManifest(text, '').sources).toEqual([{ ...source, name: publicName }])
})
