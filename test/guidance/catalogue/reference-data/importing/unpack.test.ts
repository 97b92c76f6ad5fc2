import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { findReferenceData } from '../../../../../src/guidance/catalogue/reference-data/importing/unpack.ts'
import { temporaryFolder } from '../../../../support/folder.ts'
import { cciList, oscalCatalog } from '../../../../support/reference-data.ts'
import { refusalOf } from '../../../../support/refusal.ts'
import { xccdfDocument } from '../../../../support/xccdf-document.ts'
import { zipOf } from '../../../../support/zip.ts'

async function find(content: string | Uint8Array, name = 'file') {
  const path = join(await temporaryFolder(), name)
  await writeFile(path, content)
  return findReferenceData(path)
}

const LIST = cciList()
const DIGEST = createHash('sha256').update(LIST).digest('hex')

describe('Reference data in a file', () => {
  it('is recognised by its content in any packing', async () => {
    const expected = { form: 'cci_list', digest: DIGEST }
    expect(await find(LIST)).toMatchObject({ ...expected, fileName: 'file' })
    expect(await find(gzipSync(LIST), 'list.xml.gz')).toMatchObject({ ...expected, fileName: 'list.xml' })
    const zip = await zipOf({ 'read.html': '<html/>', 'cci2html.xml': '<xsl/>', 'a/U_CCI_List.xml': LIST })
    expect(await find(zip)).toMatchObject({ ...expected, fileName: 'U_CCI_List.xml' })
    expect(await find(oscalCatalog())).toMatchObject({ form: 'oscal' })
    expect(await find(JSON.stringify(JSON.parse(oscalCatalog()), null, 2))).toMatchObject({ form: 'oscal' })
  })

  it('is not found in other files', async () => {
    const others = [
      '',
      'text',
      '{"stigs": []}',
      xccdfDocument(),
      gzipSync('text'),
      await zipOf({ 'a-xccdf.xml': xccdfDocument(), 'U_CCI_List.xml': LIST }),
      await zipOf({ 'inner.zip': await zipOf({ 'U_CCI_List.xml': LIST }) }),
      await zipOf({ 'a.xml': '<a/>' }),
    ]
    for (const other of others) expect(await find(other)).toBeNull()
    expect(await findReferenceData('missing.xml')).toBeNull()
    expect(await findReferenceData(await temporaryFolder())).toBeNull()
  })

  it('is refused if it is damaged or too large', async () => {
    const damaged = await refusalOf(() => find(gzipSync(LIST).subarray(0, 100), 'list.gz'))
    expect([damaged.code, damaged.message]).toEqual([
      'source_damaged',
      'list.gz is damaged: it cannot be unpacked as gzip.',
    ])
    const large = Buffer.concat([Buffer.from(LIST), Buffer.alloc(50_000_000, ' ')])
    for (const content of [large, gzipSync(large)]) {
      const { code, message } = await refusalOf(() => find(content))
      expect([code, message]).toEqual(['too_large', 'file is larger than the limit of 50 MB.'])
    }
  })
})
