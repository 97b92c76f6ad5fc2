import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { formatManifest, parseManifest, type Manifest } from '../../../src/ontology/release/manifest.ts'
import { Refusal } from '../../../src/platform/errors.ts'
import { refusalOf } from '../../support/refusal.ts'
import { manifestOf } from '../../support/release.ts'

const FILE = '/data/manifest.json'

describe('parseManifest', () => {
  it('reads a written manifest', () => {
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
    ['is no JSON', (text: string) => text.replace('"graphFile":', '"graphFile"'), 'line 5, column 15'],
    ['is empty', () => '', 'line 1, column 1'],
  ])('names the file and the place where the text %s', async (_, spoil, position) => {
    const text = spoil(JSON.stringify(manifestOf(), null, 2))
    const { code, message } = await refusalOf(() => parseManifest(text, FILE))
    expect(code).toBe('folder_unusable')
    expect(message).toContain(`${FILE}, ${position}: `)
  })
})

describe('The digest of a manifest', () => {
  const manifest = manifestOf({ prefixes: { ex: 'http://example.org/' } })
  const text = formatManifest(manifest)

  /** Null where the manifest is refused. */
  function readOrNull(changed: string): Manifest | null {
    try {
      return parseManifest(changed, FILE)
    } catch (error) {
      if (error instanceof Refusal) return null
      throw error
    }
  }

  it('is not part of the parsed manifest', () => {
    expect(parseManifest(text, FILE)).toStrictEqual(manifest)
  })

  it('is wrong after a change of any byte, unless the content is the same', () => {
    const others = ['0', 'x', '"', ' ', '\n']
    const changed = Array.from(text, (_, index) =>
      others.map((other) => text.slice(0, index) + other + text.slice(index + 1)),
    ).flat()
    const served = changed.filter((changedText) => !isDeepStrictEqual(readOrNull(changedText) ?? manifest, manifest))
    expect(served).toEqual([])
  })

  it('is reported with the name of the damaged file', async () => {
    const { code, message } = await refusalOf(() => {
      return parseManifest(text.replace('"statements": 1', '"statements": 2'), FILE)
    })
    expect(code).toBe('folder_unusable')
    expect(message).toContain(`${FILE}: the digest of its members differs`)
  })

  it('includes members that this program does not know', async () => {
    const newer = formatManifest(Object.assign({ signedBy: 'somebody' }, manifest))
    expect(parseManifest(newer, FILE)).toStrictEqual(manifest)
    const changed = newer.replace('somebody', 'nobody')
    expect((await refusalOf(() => parseManifest(changed, FILE))).code).toBe('folder_unusable')
  })

  it('may be missing, as in older manifests, which have no other members', async () => {
    const older = JSON.stringify(manifest)
    expect(parseManifest(older, FILE)).toStrictEqual(manifest)
    const misspelt = text.replace('"manifestSha256"', '"manifestSha257"')
    expect((await refusalOf(() => parseManifest(misspelt, FILE))).message).toContain('manifestSha257')
  })
})
