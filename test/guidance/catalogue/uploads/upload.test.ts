// @module-tag node

import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Options, ZipFile } from 'yazl'
import { UploadReader } from '../../../../src/guidance/catalogue/uploads/upload-thread.ts'
import { readUploadHere, type UploadItem } from '../../../../src/guidance/catalogue/uploads/upload.ts'
import { refusalOf } from '../../../support/refusal.ts'
import { bytesOf, documentOf } from '../xccdf/document.ts'

type Members = Readonly<Record<string, string | Uint8Array>>

let folder = ''
let files = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-'))
})

afterAll(async () => {
  await reader.close()
  await rm(folder, { recursive: true, force: true })
})

async function zipOf(members: Members, options: Partial<Options> = {}): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(members)) {
    zip.addBuffer(Buffer.from(content), name, options)
  }
  zip.end()
  const chunks: Uint8Array[] = []
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/** Puts other words of the same length into a zip, as they are. */
function replaced(zip: Buffer, from: string, to: string): Buffer {
  return Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1')
}

async function fileOf(content: string | Uint8Array): Promise<string> {
  files += 1
  const file = join(folder, String(files))
  await writeFile(file, content)
  return file
}

async function readAll(content: string | Uint8Array): Promise<readonly UploadItem[]> {
  const items: UploadItem[] = []
  for await (const item of readUploadHere(await fileOf(content), {})) items.push(item)
  return items
}

/** Member, progress and what became of it. */
function summary(items: readonly UploadItem[]): readonly unknown[] {
  return items.map((item) => [
    item.member,
    `${item.done}/${item.total}`,
    item.kind === 'read' ? item.benchmark.benchmarkId : item.code,
  ])
}

function refusals(items: readonly UploadItem[]): string {
  return items.map((item) => (item.kind === 'read' ? '' : `${item.code}: ${item.detail}`)).join('')
}

const stig = (id: string): string => documentOf({ attributes: `id="${id}"` })

const reader = new UploadReader()

async function sourceOf(item: UploadItem | undefined): Promise<Uint8Array | null> {
  return item?.kind === 'read' ? new Uint8Array(await buffer(Readable.from(item.source()))) : null
}

describe('A package', () => {
  it('is read by member, and other files are skipped', async () => {
    const zip = await zipOf({
      'U_A/a-xccdf.xml': stig('A_STIG'),
      'U_A/oval.xml': '<oval_definitions/>',
      'U_A/STIG_unclass.xsl': '<stylesheet/>',
      'U_A/Manual.XML': stig('B_STIG'),
      '__MACOSX/U_A/._a-xccdf.xml': 'resource fork',
      'U_A/broken-xccdf.xml': '<Benchmark',
      'read.me': 'words',
    })
    const items = await readAll(zip)
    expect(summary(items)).toEqual([
      ['U_A/a-xccdf.xml', '1/4', 'A_STIG'],
      ['U_A/oval.xml', '2/4', 'not_a_benchmark'],
      ['U_A/Manual.XML', '3/4', 'B_STIG'],
      ['U_A/broken-xccdf.xml', '4/4', 'xml_not_well_formed'],
    ])
    const [first] = items
    expect(await sourceOf(first)).toEqual(bytesOf(stig('A_STIG')))
  })

  it('may contain packages, of which only damaged ones are refused', async () => {
    const zip = await zipOf({
      'a.zip': await zipOf({ 'x/a.xml': stig('A_STIG') }),
      'b.zip': 'no zip',
      'c.zip': await zipOf({ 'd.zip': await zipOf({ 'd.xml': stig('D_STIG') }) }),
      'e.zip': await zipOf({ 'e.txt': '' }),
      'f.zip': replaced(await zipOf({ 'aa/f.xml': stig('F_STIG') }), 'aa/f.xml', '../f.xml'),
    })
    expect(summary(await readAll(zip))).toEqual([
      ['a.zip/x/a.xml', '1/4', 'A_STIG'],
      ['b.zip', '2/4', 'bad_zip'],
      ['c.zip/d.zip', '3/4', 'too_large'],
      ['f.zip', '4/4', 'bad_zip'],
    ])
  })

  it('lists skipped members that are not benchmarks, with the reason', async () => {
    const results = '<TestResult xmlns="http://checklists.nist.gov/xccdf/1.2"/>'
    const zip = await zipOf({
      'a.xml': stig('A_STIG'),
      'b.ckl': '<CHECKLIST/>',
      'c.cklb': '{"title":"","stigs":[],"target_data":{}}',
      'd.zip': await zipOf({
        'arf.xml': '<asset-report-collection/>',
        'results.xml': results,
        'dtd.xml': `<!DOCTYPE a [<!ENTITY b "c">]>${results}`,
        'image.xml': '%PDF-1.7',
        'cut.xml': '<a',
        'picture.jpg': '',
      }),
    })
    const items = (await readAll(zip)).filter((item) => item.kind !== 'read')
    expect(new Set(items.map(({ kind, total }) => `${kind} ${total}`))).toEqual(new Set(['skipped 8']))
    expect(items.map(({ member, code, detail }) => `${member ?? ''} ${code} ${detail}`)).toEqual([
      expect.stringMatching(/^b\.ckl not_a_benchmark .*CKL checklist/),
      expect.stringMatching(/^c\.cklb unsupported_file_type .*CKLB checklist/),
      expect.stringMatching(/^d\.zip\/arf\.xml not_a_benchmark .*ARF/),
      expect.stringMatching(/^d\.zip\/results\.xml not_a_benchmark .*TestResult: scan results/),
      expect.stringMatching(/^d\.zip\/dtd\.xml dtd_not_allowed .*DOCTYPE/),
      expect.stringMatching(/^d\.zip\/image\.xml unsupported_file_type .*PDF/),
      expect.stringMatching(/^d\.zip\/cut\.xml xml_not_well_formed/),
    ])
  })

  it('returns all benchmarks of a data stream, each with its bytes', async () => {
    const inner = ['A_STIG', 'B_STIG'].map((id) => documentOf({ prolog: '', attributes: `id="${id}"` })).join('')
    const collection = `<data-stream-collection xmlns="http://scap.nist.gov/schema/scap/source/1.2">${inner}</data-stream-collection>`
    const items = await readAll(await zipOf({ 'scap.xml': collection }))
    expect(summary(items)).toEqual([
      ['scap.xml', '1/2', 'A_STIG'],
      ['scap.xml', '2/2', 'B_STIG'],
    ])
    const sources = await Promise.all(items.map(sourceOf))
    expect(sources).toEqual([bytesOf(collection), bytesOf(collection)])
  })

  it('refuses a member with a wrong checksum', async () => {
    const zip = await zipOf({ 'a.xml': stig('A_STIG') }, { compress: false })
    const spoilt = replaced(zip, 'warm', 'cold')
    expect(refusals(await readAll(spoilt))).toMatch(/^bad_zip: .* its checksum is wrong\.$/)
  })

  it.each(['../x.xml', '/tmp/x.xml', 'C:/xx.xml', 'a\\b\\.xml'])(
    'is refused completely for the unsafe path %s',
    async (path) => {
      const name = 'n'.repeat(path.length)
      const zip = replaced(await zipOf({ 'a.xml': stig('A_STIG'), [name]: 'x' }), name, path)
      const { code, message } = await refusalOf(() => readAll(zip))
      expect([code, message]).toEqual(['bad_zip', expect.stringContaining(`unsafe path ${path}`)])
    },
  )

  it('is refused completely for a symbolic link', async () => {
    const zip = await zipOf({ 'a.xml': '/etc/passwd' }, { mode: 0o120777 })
    const { code, message } = await refusalOf(() => readAll(zip))
    expect([code, message]).toEqual(['bad_zip', expect.stringContaining('symbolic link')])
  })

  it('is refused completely for a member that expands too much', async () => {
    const zip = await zipOf({ 'a.xml': ' '.repeat(3_000_000) })
    const { code, message } = await refusalOf(() => readAll(zip))
    expect([code, message]).toEqual(['too_large', expect.stringContaining('uncompressed size')])
  })

  it('refuses a member that is larger than its directory states', async () => {
    const zip = await zipOf({ 'a-xccdf.xml': ' '.repeat(3_000_000) })
    const size = Buffer.alloc(4)
    size.writeUInt32LE(3_000_000)
    const lie = replaced(zip, size.toString('latin1'), '\x00\x10\x00\x00')
    expect(summary(await readAll(lie))).toEqual([['a-xccdf.xml', '1/1', 'bad_zip']])
  })

  it('refuses an encrypted member', async () => {
    const zip = await zipOf({ 'a-xccdf.xml': stig('A_STIG') })
    const directory = zip.indexOf('PK\x01\x02', 0, 'latin1')
    zip.writeUInt16LE(1, directory + 8)
    expect(refusals(await readAll(zip))).toMatch(/^bad_zip: .* is encrypted\.$/)
  })

  it.each([
    ['no_benchmark_in_zip', {}],
    ['no_benchmark_in_zip', { 'a.xml': '<a/>', 'b.ckl': '<CHECKLIST/>' }],
  ])('is refused with %s', async (code, members) => {
    expect((await refusalOf(async () => readAll(await zipOf(members)))).code).toBe(code)
  })

  it('is refused when it is damaged', async () => {
    const zip = await zipOf({ 'a.xml': stig('A_STIG') })
    expect((await refusalOf(() => readAll(zip.subarray(0, -30)))).code).toBe('bad_zip')
  })
})

describe('An upload', () => {
  it('of an XML file is read', async () => {
    expect(summary(await readAll(stig('A_STIG')))).toEqual([[null, '1/1', 'A_STIG']])
  })

  it('of an XML file above the limit is refused unread', async () => {
    const file = await fileOf('<a/>')
    await truncate(file, 50_000_001)
    const { code } = await refusalOf(() => readUploadHere(file, {}).next())
    expect(code).toBe('too_large')
  })

  it('is read on a thread, one item after another', async () => {
    const zip = await zipOf({ 'a.xml': stig('A_STIG'), 'b-xccdf.xml': 'words', 'c.xml': stig('C_STIG') })
    const items: unknown[] = []
    for await (const item of reader.read(await fileOf(zip), {})) {
      if (item.kind !== 'read') items.push(item)
      else {
        const { kind, member, done, total, head, warnings, ruleCount, file } = item
        const first = await item.rules(0, 1)
        const rules = [...first, ...(await item.rules(1, ruleCount))]
        const source = new Uint8Array(gunzipSync(file.packed))
        items.push({ kind, member, done, total, benchmark: { ...head, rules }, warnings, source })
      }
    }
    const expected = await Promise.all(
      (await readAll(zip)).map(async (item) =>
        item.kind !== 'read' ? item : { ...item, source: await sourceOf(item) },
      ),
    )
    expect(items).toEqual(expected)
  })

  it('throws the refusals of the thread', async () => {
    const file = await fileOf('<a/>')
    const { code, message } = await refusalOf(() => reader.read(file, {}).next())
    expect([code, message]).toEqual(['not_a_benchmark', expect.stringContaining('root element a')])
  })

  it.each(['gone', '.'])('refuses a form without a proper file: %s', async (name) => {
    const { code } = await refusalOf(() => reader.read(join(folder, name), {}).next())
    expect(code).toBe('source_not_found')
  })

  it('is refused if it needs more memory than the thread may use', async () => {
    const idents = '<ident system="a">1</ident>'.repeat(990_000)
    const file = await fileOf(documentOf({ body: `<Rule id="r">${idents}</Rule>` }))
    const { code, message } = await refusalOf(() => reader.read(file, {}).next())
    expect([code, message]).toEqual(['too_large', expect.stringContaining('too much memory')])
  })

  it('ends its thread when the caller stops', async () => {
    const zip = await zipOf({ 'a.xml': stig('A_STIG'), 'b.xml': stig('B_STIG') })
    for await (const item of reader.read(await fileOf(zip), {})) {
      expect(item.member).toBe('a.xml')
      break
    }
  })
})
