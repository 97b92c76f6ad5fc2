import { describe, expect, it } from 'vitest'
import { parseManifest } from '../../../src/ontology/release/manifest.ts'
import { refusalOf } from '../../support/refusal.ts'
import { manifestOf } from '../../support/release.ts'

const FILE = '/data/manifest.json'

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
    expect(parseManifest(JSON.stringify(manifest), FILE)).toStrictEqual(manifest)
  })

  it('names the file and the member that is missing or odd', async () => {
    const broken = { ...manifestOf(), graphFile: undefined, counts: { statements: 'many' } }
    const { code, message } = await refusalOf(() => parseManifest(JSON.stringify(broken), FILE))
    expect(code).toBe('folder_unusable')
    expect(message).toContain(`${FILE}: graphFile: `)
    expect(message).toContain('counts.statements: ')
  })

  it.each([
    ['breaks off', (text: string) => text.slice(0, -2), 'line 24, column 17'],
    [
      'is no JSON',
      (text: string) => text.replace('"graphFile":', '"graphFile"'),
      'line 5, column 15',
    ],
    ['is empty', () => '', 'line 1, column 1'],
  ])('names the file and the place where the text %s', async (_, spoil, place) => {
    const text = spoil(JSON.stringify(manifestOf(), null, 2))
    const { code, message } = await refusalOf(() => parseManifest(text, FILE))
    expect(code).toBe('folder_unusable')
    expect(message).toContain(`${FILE}, ${place}: `)
  })
})
