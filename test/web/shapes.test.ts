import { describe, expect, it } from 'vitest'
import { parseProse } from '../../src/web/application/parts/prose/prose.ts'
import { pageOfRecord } from '../../src/web/paths/record-page.ts'

const text = (content: string) => [{ kind: 'text', text: content }]

describe('An article of the ontology', () => {
  it('becomes headings, paragraphs, lists and code', () => {
    const article =
      '## How it works\nFirst line\nof one paragraph.\n\nSuch as:\n* one\n  goes on\n* two\n\n1. first\n2. second\n\n```\na  *b*\n```\nAfter.'
    expect(parseProse(article)).toEqual([
      { kind: 'heading', line: text('How it works') },
      { kind: 'paragraph', line: text('First line of one paragraph.') },
      { kind: 'paragraph', line: text('Such as:') },
      { kind: 'list', isOrdered: false, items: [text('one goes on'), text('two')] },
      { kind: 'list', isOrdered: true, items: [text('first'), text('second')] },
      { kind: 'code', text: 'a  *b*' },
      { kind: 'paragraph', line: text('After.') },
    ])
  })

  it('links only to the web; other targets stay text', () => {
    const line = '<b>x</b> [a](https://example.org/a) [b](javascript:alert(1)) `c` **d**'
    expect(parseProse(line)).toEqual([
      {
        kind: 'paragraph',
        line: [
          { kind: 'text', text: '<b>x</b> ' },
          { kind: 'link', text: 'a', href: 'https://example.org/a' },
          { kind: 'text', text: ' [b](javascript:alert(1)) ' },
          { kind: 'code', text: 'c' },
          { kind: 'text', text: ' ' },
          { kind: 'strong', text: 'd' },
        ],
      },
    ])
  })

  it('is parsed in time, however long its words and brackets are', () => {
    const before = performance.now()
    for (const part of ['[', '*', '`', '![a](', 'x', '# ', '\n\n', '- ']) parseProse(part.repeat(30_000))
    expect(performance.now() - before).toBeLessThan(2000)
  })
})

describe('The page of a record', () => {
  it('has the path of the site of D3FEND; other paths stay', () => {
    expect(pageOfRecord('/api/technique/d3f%3AFileAnalysis.json')).toBe('/technique/d3f:FileAnalysis/')
    expect(pageOfRecord('/api/technique/d3f:A%2FB.json')).toBe('/technique/d3f:A%2FB/')
    expect(pageOfRecord('/api/ontology/describe/inbound/d3f:A.json')).toBeNull()
    expect(pageOfRecord('/stigs/4')).toBeNull()
  })
})
