import { describe, expect, it } from 'vitest'
import { atomFeed } from '../../../src/ontology/reports/feed.ts'
import { faultsOfAtom } from '../../support/atom.ts'
import { manifestOf } from '../../support/release.ts'

const BASE = 'https://x.example/a&b'

describe('The feed of releases', () => {
  it.each([
    ['no release', []],
    ['one', [manifestOf()]],
    ['two', [manifestOf({ version: '2.0.0+a', sha256: 'b'.repeat(64) }), manifestOf()]],
    ['one with an odd date', [manifestOf({ releaseDate: 'long ago', version: '1.0<&>' })]],
    ['very many', Array.from({ length: 300 }, (_, index) => manifestOf({ version: `1.${index}` }))],
  ])('keeps the rules of RFC 4287 with %s', (_, releases) => {
    expect(faultsOfAtom(atomFeed(releases, BASE))).toEqual([])
  })

  it('is as new as its newest entry, and entries keep their ids', () => {
    const first = manifestOf({ ingestedAt: '2026-02-01T08:30:00.000Z' })
    const second = manifestOf({ version: '2', ingestedAt: '2026-03-01T08:30:00.000Z' })
    const before = atomFeed([first], BASE)
    const after = atomFeed([second, first], BASE)
    expect(/<updated>(.*?)</.exec(after)?.[1]).toBe('2026-03-01T08:30:00.000Z')
    const idsOf = (feed: string): readonly string[] => feed.match(/urn:uuid:[-0-9a-f]+/g) ?? []
    expect(idsOf(after)).toEqual([expect.not.stringMatching(idsOf(before)[0] ?? ''), ...idsOf(before)])
    expect(after).toContain('/api/releases/1.2.3/changes/2.json')
  })

  it('is checked by rules that find mistakes', () => {
    const whole = atomFeed([manifestOf()], BASE)
    const damages: readonly (readonly [RegExp, string])[] = [
      [/<id>.*<\/id>/, ''],
      [/<updated>.*<\/updated>/, '<updated>2026-02-30</updated>'],
      [/<author>.*<\/author>/, ''],
      [/<link rel="alternate" type="application\/json" href="[^"]*version.json"\/>/, ''],
      [/<title>Release.*<\/title>/, '<title>a</title><title>b</title>'],
    ]
    for (const [pattern, replacement] of damages) {
      const damaged = whole.replace(pattern, replacement)
      expect(damaged).not.toBe(whole)
      expect(faultsOfAtom(damaged)).not.toEqual([])
    }
  })
})
