import { describe, expect, it } from 'vitest'
import { writeFeed, type Feed } from '../../src/platform/atom.ts'
import { faultsOfAtom } from '../support/atom.ts'

const FEED: Feed = {
  address: 'https://x.example/a&b.atom',
  title: 'Tea & <cups>',
  author: 'https://x.example',
  alternate: 'https://x.example/a&b.json',
  updated: '2026-03-01T08:30:00.000Z',
  entries: [
    {
      id: 'urn:sha256:aa',
      title: 'A "pot"',
      updated: '2026-03-01T08:30:00.000Z',
      published: '2026-02-01T00:00:00Z',
      links: [{ rel: 'alternate', href: 'https://x.example/?a=1&b=2' }],
      summary: '1 < 2',
    },
  ],
}

describe('An Atom feed', () => {
  it('keeps the rules of RFC 4287, with texts that need escaping and without entries', () => {
    expect(faultsOfAtom(writeFeed(FEED))).toEqual([])
    expect(faultsOfAtom(writeFeed({ ...FEED, updated: null, entries: [] }))).toEqual([])
  })

  it('escapes its input', () => {
    const text = writeFeed(FEED)
    expect(text).toContain('<title>Tea &amp; &lt;cups&gt;</title>')
    expect(text).toContain('href="https://x.example/?a=1&amp;b=2"')
    expect(text).toContain('<summary>1 &lt; 2</summary>')
  })
})
