import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readCciList } from '../../../../src/guidance/catalogue/reference-data/ccis/cci-list.ts'
import { controlsOf } from '../../../../src/guidance/catalogue/reference-data/controls/control-names.ts'
import { readOscal } from '../../../../src/guidance/catalogue/reference-data/controls/oscal.ts'
import { findReferenceData } from '../../../../src/guidance/catalogue/reference-data/importing/unpack.ts'
import { controlSchema, cciSchema } from '../../../../src/guidance/catalogue/reference-data/items.ts'
import { CORPUS } from '../../../support/corpus.ts'

const LIST = join(CORPUS, 'reference-data/U_CCI_List.xml.gz')
const CATALOG = join(CORPUS, 'reference-data/NIST_SP-800-53_rev5_HIGH-baseline-resolved-profile_catalog-min.json.gz')

function textOf(file: string): string {
  return gunzipSync(readFileSync(file)).toString('utf8')
}

function count(text: string, part: RegExp): number {
  return text.match(part)?.length ?? 0
}

/** An item by regular expressions, for comparison. */
function itemIn(text: string, id: string) {
  const item = text.slice(text.indexOf(`<cci_item id="${id}">`)).split('</cci_item>')[0] ?? ''
  const texts = (name: string) =>
    Array.from(item.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g')), ([, value = '']) => plain(value.trim()))
  const attribute = (tag: string, name: string) => plain(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
  return {
    id,
    status: texts('status')[0],
    published: texts('publishdate')[0],
    contributor: texts('contributor')[0],
    definition: texts('definition')[0],
    types: texts('type'),
    parameters: texts('parameter'),
    notes: texts('note'),
    references: Array.from(item.matchAll(/<reference [^>]*>/g), ([tag]) => ({
      creator: attribute(tag, 'creator'),
      title: attribute(tag, 'title'),
      version: attribute(tag, 'version'),
      location: attribute(tag, 'location'),
      index: attribute(tag, 'index'),
    })),
  }
}

function plain(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
}

describe.skipIf(!existsSync(LIST))('The published CCI list', () => {
  const text = existsSync(LIST) ? textOf(LIST) : ''
  const { items, version } = readCciList(Buffer.from(text))
  const ccis = z.array(cciSchema).parse(items)

  it('is recognised in its packed form', async () => {
    expect(await findReferenceData(LIST)).toMatchObject({ form: 'cci_list', fileName: 'U_CCI_List.xml' })
  })

  it('is read with every item and every reference', () => {
    expect(version).toBe('2016-06-27')
    expect(ccis).toHaveLength(count(text, /<cci_item /g))
    expect(ccis.flatMap(({ references }) => references)).toHaveLength(count(text, /<reference /g))
    expect(ccis.flatMap(({ types }) => types)).toHaveLength(count(text, /<type>/g))
    expect(ccis.flatMap(({ notes }) => notes)).toHaveLength(count(text, /<note>/g))
    expect(ccis.flatMap(({ parameters }) => parameters)).toHaveLength(count(text, /<parameter>/g))
    expect(ccis.filter(({ status }) => status === 'deprecated')).toHaveLength(count(text, /<status>deprecated/g))
  })

  it('names a control in each reference to NIST SP 800-53', () => {
    const places = ccis.flatMap(({ references }) => controlsOf(references))
    expect(places).toHaveLength(count(text, /title="NIST SP 800-53(?: Revision 4)?"/g))
  })

  it.each(['CCI-001545', 'CCI-000001', 'CCI-000366', 'CCI-000015', 'CCI-003392'])('has %s unchanged', (id) => {
    expect(ccis.find((cci) => cci.id === id)).toEqual(itemIn(text, id))
  })
})

describe.skipIf(!existsSync(CATALOG))('The published catalogue of controls', () => {
  const { items, version } = readOscal(Buffer.from(existsSync(CATALOG) ? textOf(CATALOG) : '{}'))
  const controls = z.array(controlSchema).parse(items)

  it('is read with every control, and with no parameter that is not filled in', () => {
    const text = textOf(CATALOG)
    expect(version).toBe('5.1.1+u4')
    expect(controls).toHaveLength(count(text, /"class":"SP800-53(?:-enhancement)?"/g))
    expect(controls.filter(({ statement }) => statement.length === 0)).toEqual([])
    expect(JSON.stringify(controls)).not.toContain('{{')
    expect(
      controls.filter(({ enhances }) => enhances === null).flatMap((control) => control.enhancements),
    ).toHaveLength(count(text, /"class":"SP800-53-enhancement"/g))
  })

  it('has the text of AC-7 as NIST prints it', () => {
    const lines = controls.find(({ id }) => id === 'AC-7')?.statement
    expect(lines?.map(({ label, text }) => `${label} ${text}`)).toEqual([
      'a. Enforce a limit of [Assignment: organization-defined number] consecutive invalid logon attempts by a user ' +
        'during a [Assignment: organization-defined time period]; and',
      'b. Automatically [Selection (one or more): lock the account or node for [Assignment: organization-defined time ' +
        'period]; lock the account or node until released by an administrator; delay next logon prompt per ' +
        '[Assignment: organization-defined delay algorithm]; notify system administrator; take other [Assignment: ' +
        'organization-defined action]] when the maximum number of unsuccessful attempts is exceeded.',
    ])
  })
})
