import { describe, expect, it } from 'vitest'
import { EmbeddedGraph } from '../../../src/graph/store.ts'
import { canonicalNQuads } from '../../../src/ontology/ingest/canonical.ts'
import { refusalOf } from '../../support/refusal.ts'

const LINES = [
  '_:a <a:knows> _:b .',
  '_:b <a:knows> _:c .',
  '_:c <a:knows> "the end" .',
  '_:x <a:knows> _:y .',
  '<a:s> <a:says> "a literal with _:z in it\\n" .',
  '<a:s> <a:p> <a:o> .',
  '<a:s> <a:p> _:a .',
]

function renamed(line: string): string {
  return line.replace(/_:([abcxy])(?= )/g, (_, label: string) => `_:other${label.codePointAt(0) ?? 0}`)
}

describe('canonicalNQuads', () => {
  it('is the same text for another order and other labels of blank nodes', async () => {
    const text = await canonicalNQuads(LINES.join('\n'))
    expect(await canonicalNQuads(LINES.toReversed().map(renamed).join('\n'))).toBe(text)
  })

  it('is the same text after a round trip through a store', async () => {
    const load = (lines: readonly string[]): string => {
      const graph = new EmbeddedGraph()
      graph.load(new TextEncoder().encode(lines.join('\n')), 'application/n-quads')
      return graph.dump()
    }
    const text = await canonicalNQuads(load(LINES))
    expect(await canonicalNQuads(load(LINES.toReversed()))).toBe(text)
  })

  it('has one statement a line, sorted by code units, and ends with a line break', async () => {
    const text = await canonicalNQuads('<a:b> <a:p> "z" .\n<a:B> <a:p> "z" .\n\n_:x <a:p> "z" .')
    expect(text).toBe('<a:B> <a:p> "z" .\n<a:b> <a:p> "z" .\n_:c14n0 <a:p> "z" .\n')
  })

  it('is unchanged by a second pass', async () => {
    const text = await canonicalNQuads(LINES.join('\n'))
    expect(await canonicalNQuads(text)).toBe(text)
  })

  it('keeps literals as they are', async () => {
    const text = await canonicalNQuads(LINES.join('\n'))
    expect(text).toContain('"a literal with _:z in it\\n"')
  })

  it('differs when a blank node points elsewhere', async () => {
    const text = await canonicalNQuads(LINES.join('\n'))
    const other = LINES.map((line) => line.replace('_:b <a:knows> _:c', '_:b <a:knows> _:b'))
    expect(await canonicalNQuads(other.join('\n'))).not.toBe(text)
  })

  it('refuses blank nodes that refer to each other in too many equal ways', async () => {
    const labels = Array.from({ length: 12 }, (_, index) => `_:b${index}`)
    const tangle = labels.flatMap((from) => labels.filter((to) => to !== from).map((to) => `${from} <a:p> ${to} .`))
    const refusal = await refusalOf(() => canonicalNQuads(tangle.join('\n')))
    expect(refusal.code).toBe('graph_too_tangled')
    expect(refusal.message).toContain('Give some of them IRIs')
  })

  it.each(['"x"@en--ltr', '"a \\"@en \\\\"@ar-EG--rtl'])('refuses a string with a direction: %s', async (text) => {
    const refusal = await refusalOf(() => canonicalNQuads(`<a:s> <a:p> "y"@en .\n<a:s> <a:q> ${text} .\n`))
    expect(refusal.code).toBe('source_syntax')
    expect(refusal.message).toContain(': <a:s> <a:q>.')
  })

  it('accepts a literal that mentions a direction in its text', async () => {
    const line = String.raw`<a:s> <a:p> "x\"@en--ltr ."@en .` + '\n'
    expect(await canonicalNQuads(line)).toBe(line)
  })

  it('refuses triple terms', async () => {
    const refusal = await refusalOf(() => canonicalNQuads('<a:s> <a:p> <<( <a:s> <a:p> <a:o> )>> .'))
    expect(refusal.code).toBe('source_syntax')
  })
})
