import { describe, expect, it } from 'vitest'
import { parseManifest } from '../../../src/ontology/release/manifest.ts'
import { manifestOf } from '../../support/release.ts'

describe('parseManifest', () => {
  it('reads what was written', () => {
    const manifest = manifestOf({
      prefixes: { ex: 'http://example.org/' },
      checks: [
        {
          name: 'missing-label',
          summary: 'All have labels.',
          severity: 'error',
          violations: 2,
          examples: ['d3f:A', 'd3f:B'],
        },
      ],
    })
    expect(parseManifest(JSON.stringify(manifest))).toStrictEqual(manifest)
  })

  it('throws where a member is missing', () => {
    const broken = Object.entries(manifestOf()).filter(([name]) => name !== 'graphFile')
    expect(() => parseManifest(JSON.stringify(Object.fromEntries(broken)))).toThrow('graphFile')
  })

  it('throws where the text breaks off', () => {
    const text = JSON.stringify(manifestOf())
    expect(() => parseManifest(text.slice(0, -10))).toThrow(SyntaxError)
  })
})
