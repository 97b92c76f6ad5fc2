import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { iriToken } from '../../../../../src/graph/store.ts'
import { encodeSegment, irisOf, wellFormed } from '../../../../../src/guidance/catalogue/linked-data/graph/iris.ts'
import { BASE } from '../sample.ts'

const iris = irisOf(BASE)
const RELEASE = { benchmarkId: 'RHEL_9_STIG', version: 'V2R7' }

describe('The IRIs of resources', () => {
  it('begin with the base URL', () => {
    expect(iris.benchmark(RELEASE)).toBe(`${BASE}/benchmarks/RHEL_9_STIG/V2R7`)
    expect(iris.line('RHEL_9_STIG')).toBe(`${BASE}/benchmarks/RHEL_9_STIG`)
    expect(iris.rule(RELEASE, 'SV-1r1_rule')).toBe(`${BASE}/benchmarks/RHEL_9_STIG/V2R7/rules/SV-1r1_rule`)
    expect(iris.cci('CCI-000366')).toBe(`${BASE}/ccis/CCI-000366`)
    expect(iris.requirement('SRG-OS-1')).toBe(`${BASE}/requirements/SRG-OS-1`)
    expect(iris.namespace).toBe(`${BASE}/ns/guidance#`)
  })

  it.each([
    ['SV-1> <urn:p> <urn:o> . <urn:x', 'SV-1%3E%20%3Curn%3Ap%3E%20%3Curn%3Ao%3E%20.%20%3Curn%3Ax'],
    ['a b/..%2e', 'a%20b%2F..%252e'],
    ["(it's!*)", '%28it%27s%21%2A%29'],
    ['é\u{1F600}', '%C3%A9%F0%9F%98%80'],
  ])('encode %j', (id, segment) => {
    expect(encodeSegment(id)).toBe(segment)
    expect(decodeURIComponent(segment)).toBe(id)
  })

  it('have one segment for each id and can be converted back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (id) => {
        const segment = encodeSegment(id)
        expect(segment).toMatch(/^(?:[\w.~-]|%[\dA-F]{2})+$/)
        expect(decodeURIComponent(segment)).toBe(wellFormed(id))
        expect(() => iriToken(iris.cci(id))).not.toThrow()
      }),
    )
  })

  it('replace half of a surrogate pair by U+FFFD', () => {
    expect(encodeSegment('a\ud800b')).toBe('a%EF%BF%BDb')
  })
})
