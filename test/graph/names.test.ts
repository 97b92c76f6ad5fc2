// @module-tag node

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Names } from '../../src/graph/names.ts'
import { D3F, OWL } from '../../src/graph/vocabulary.ts'

const EXAMPLE = 'http://example.org/things/'

describe('Names', () => {
  const names = new Names({ ex: EXAMPLE })

  it.each([
    [`${D3F}Process`, 'd3f:Process'],
    [`${OWL}Class`, 'owl:Class'],
    [`${EXAMPLE}one`, 'ex:one'],
    [`${D3F}a/b`, 'd3f:a/b'],
    [`${D3F}50%3A1`, 'd3f:50%3A1'],
    [`${D3F}a:b`, 'd3f:a:b'],
  ])('compacts %s to %s and expands it again', (iri, name) => {
    expect(names.compact(iri)).toBe(name)
    expect(names.expand(name)).toBe(iri)
  })

  it.each(['http://elsewhere.example/x', 'urn:uuid:123', D3F, `${EXAMPLE}deeper/one`, 'mailto:someone@example.org'])(
    'leaves %s unchanged in both directions',
    (iri) => {
      expect(names.compact(iri)).toBe(iri)
      expect(names.expand(iri)).toBe(iri)
    },
  )

  it('does not let a document redefine a well-known prefix', () => {
    const redefined = new Names({ d3f: EXAMPLE })
    expect(redefined.expand('d3f:Process')).toBe(`${D3F}Process`)
    expect(redefined.compact(`${EXAMPLE}one`)).toBe(`${EXAMPLE}one`)
  })

  it.each([[{ other: D3F }], [{ d3f: D3F, other: D3F }]])(
    'prefers the well-known prefix of a namespace over another one (%j)',
    (declared) => {
      expect(new Names(declared).compact(`${D3F}Process`)).toBe('d3f:Process')
    },
  )

  it('knows the well-known prefixes without a declaration', () => {
    expect(names.unknownPrefix('foo:Process')).toBe('foo')
  })

  it.each(['d3f:Process', 'ex:one', 'Process', 'http://elsewhere.example/x', 'a/b:c'])(
    'finds no unknown prefix in %s',
    (name) => {
      expect(names.unknownPrefix(name)).toBeNull()
    },
  )

  it('expands a compacted name to the same IRI', () => {
    const namespace = fc.constantFrom(D3F, OWL, EXAMPLE, 'http://elsewhere.example/#', 'urn:x:')
    const iri = fc
      .tuple(namespace, fc.stringMatching(/^[A-Za-z0-9%:/#._-]{0,12}$/))
      .map(([space, local]) => space + local)
    fc.assert(
      fc.property(iri, (whole) => {
        expect(names.expand(names.compact(whole))).toBe(whole)
      }),
    )
  })

  it.each(['http', 'urn'])('expands full IRIs where a document has a prefix "%s"', (prefix) => {
    const odd = new Names({ [prefix]: EXAMPLE })
    for (const iri of ['http://elsewhere.example/x', 'urn:uuid:123']) {
      expect(odd.expand(odd.compact(iri))).toBe(iri)
    }
  })
})
