import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameFiles } from '../../../../src/ontology/publish/tree/file-names.ts'
import type { NameForm } from '../../../../src/platform/files/file-names.ts'

const FOLDER = '/api/ontology/describe/'
const FORMS: readonly NameForm[] = ['readable', 'portable']

/** Files of records with these names, below the folder of the records. */
function filesOf(names: readonly string[], form: NameForm): readonly string[] {
  const paths = names.map((name) => ({ folder: FOLDER, name: `${name}.json` }))
  return [...nameFiles(paths, form).values()].map((file) => file.slice(FOLDER.length - 1))
}

/** The way back that the decision record states; null for a name that was too long. */
function nameOf(file: string): string | null {
  if (file.includes('~~')) return null
  const [first = '', ...others] = file.split('/').map(unescaped)
  const isIri = others.length > 0 && /^[a-z][a-z0-9+.-]*:$/i.test(first)
  return [first, ...(isIri ? [''] : []), ...others].join('/').replace(/\.json$/, '')
}

function unescaped(segment: string): string {
  return segment.replace(/(?:~[0-9A-F]{2})+/g, (escapes) =>
    Buffer.from(escapes.replaceAll('~', ''), 'hex').toString('utf8'),
  )
}

/** The form in which APFS, HFS+ and NTFS compare names, as far as the names below need it. */
function compared(file: string): string {
  const bare = file.normalize('NFD').replace(/[\u200d\ufeff]/g, '')
  return bare.replaceAll('ſ', 's').replaceAll('ß', 'ss').toLowerCase()
}

/** Pieces of identifiers and IRIs, and names that file systems and servers handle badly. */
const PIECES = [
  'a',
  'A',
  'b',
  'con',
  'CON',
  'aux.',
  'nul',
  'COM1',
  'x'.repeat(210),
  'd3f:',
  'http:',
  'tag:',
  '/',
  '//',
  '/a',
  '.',
  '..',
  '/.',
  '/.well-known/',
  '.json/',
  ' ',
  '~',
  '~~',
  '~41',
  '%',
  '%3A',
  '#',
  '?',
  '*',
  '"',
  '\\',
  '|',
  '<',
  '$',
  'é',
  'e\u0301',
  'É',
  'ß',
  'ss',
  'ſ',
  '\u212a',
  'k',
  '\u200d',
  '\ufeff',
  '\u{1f511}',
  '名',
  '～',
]
const names = fc.uniqueArray(
  fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
  { minLength: 1, maxLength: 40 },
)

describe.each(FORMS)('The %s names of published files', (form) => {
  it('are distinct on every file system and can be decoded', () => {
    fc.assert(
      fc.property(names, (some) => {
        const files = filesOf(some, form)
        const folders = files.flatMap((file) => {
          const parts = file.split('/').slice(0, -1)
          return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
        })
        const spellings = new Set([...files, ...folders])
        expect(new Set(files).size).toBe(some.length)
        expect(new Set([...spellings].map(compared)).size).toBe(spellings.size)
        expect(files.filter((file) => folders.includes(file))).toEqual([])
        files.forEach((file, index) => {
          expect([some[index], null]).toContain(nameOf(file))
        })
      }),
      { numRuns: 300 },
    )
  })

  it('have no character that a file system or a host refuses', () => {
    fc.assert(
      fc.property(names, (some) => {
        for (const segment of filesOf(some, form).flatMap((file) => file.split('/'))) {
          expect(Buffer.byteLength(segment)).toBeLessThanOrEqual(200)
          expect(segment).not.toMatch(/["#$*<>?\\|]|^$|^\.(?!well-known$)|[. ]$|^ /)
          expect(segment).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i)
          expect(segment).toBe(segment.normalize('NFC'))
          if (form === 'portable') expect(segment).toMatch(/^[^\u0080-\uffff:%]+$/)
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('The name of a published file', () => {
  it.each([
    ['d3f:FileAnalysis', 'd3f:FileAnalysis.json', 'd3f~3AFileAnalysis.json'],
    ['T1003.001', 'T1003.001.json', 'T1003.001.json'],
    ['d3f:a%3Ab,c', 'd3f:a%3Ab,c.json', 'd3f~3Aa~253Ab,c.json'],
    ['http://x.example/a', 'http:/x.example/a.json', 'http~3A/x.example/a.json'],
    ['http:/x.example/a', 'http:~2Fx.example~2Fa.json', 'http~3A~2Fx.example~2Fa.json'],
    ['http://x.example/a/', 'http:~2F~2Fx.example~2Fa~2F.json', /^http~3A~2F~2Fx/],
    ['x:a/../b', 'x:a~2F..~2Fb.json', 'x~3Aa~2F..~2Fb.json'],
    ['ſx://a', 'ſx:~2F~2Fa.json', '~C5~BFx~3A~2F~2Fa.json'],
    ['con', '~63on.json', '~63on.json'],
    ['ex:é', 'ex:é.json', 'ex~3A~C3~A9.json'],
    ['ex:e\u0301', 'ex:e~CC~81.json', 'ex~3Ae~CC~81.json'],
  ])('%s is %s, or for every file system %s', (name, readable, portable) => {
    expect(filesOf([name], 'readable')).toEqual([readable])
    expect(filesOf([name], 'portable')[0]).toMatch(portable)
  })

  it('keeps names apart that differ only by case, as files and as folders', () => {
    expect(filesOf(['d3f:license', 'd3f:License', 'd3f:Other'], 'readable')).toEqual([
      'd3f:license.json',
      'd3f:~4Cicense.json',
      'd3f:Other.json',
    ])
    expect(filesOf(['http://X.example/a', 'http://x.example/b', 'http://y.example/B'], 'readable')).toEqual([
      'http:~2F~2F~58.example~2Fa.json',
      'http:~2F~2Fx.example~2Fb.json',
      'http:/y.example/B.json',
    ])
  })
})
