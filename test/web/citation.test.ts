import { describe, expect, it } from 'vitest'
import { citationBibtex, citationText } from '../../src/web/application/parts/cite/citation.ts'

const HASHING = {
  title: 'File Hashing',
  id: 'D3-FH',
  work: 'D3FEND 0.17.0',
  date: '2024-10-01',
  address: 'https://parapet.example.org/technique/d3f:FileHashing/?release=0.17.0',
}

describe('A citation', () => {
  it('names the record, the release and the address', () => {
    expect(citationText(HASHING)).toBe(
      'File Hashing (D3-FH). D3FEND 0.17.0, 2024-10-01. ' +
        'https://parapet.example.org/technique/d3f:FileHashing/?release=0.17.0',
    )
    expect(citationText({ ...HASHING, title: 'Lids must fit.', id: null, date: null })).toMatch(
      /^Lids must fit\. D3FEND 0\.17\.0\. https:/,
    )
  })

  it('is an entry of BibTeX', () => {
    expect(citationBibtex(HASHING)).toBe(
      [
        '@misc{D3-FH-D3FEND-0-17-0,',
        '  title = {{File Hashing}},',
        '  number = {D3-FH},',
        '  howpublished = {D3FEND 0.17.0},',
        '  year = {2024},',
        '  month = {10},',
        '  day = {01},',
        '  url = {https://parapet.example.org/technique/d3f:FileHashing/?release=0.17.0},',
        '}',
      ].join('\n'),
    )
  })

  it('escapes special characters of LaTeX, and leaves out unknown fields', () => {
    const entry = citationBibtex({ ...HASHING, title: String.raw`50% {of} a_b & C:\d ~ ^`, id: null, date: null })
    expect(entry).toContain(String.raw`{50\% \{of\} a\_b \& C:\textbackslash{}d \textasciitilde{} \textasciicircum{}}`)
    expect(entry).not.toMatch(/number|year|month|day/)
  })
})
