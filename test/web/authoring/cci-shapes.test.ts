import { describe, expect, it } from 'vitest'
import {
  controlsOf,
  missingCcis,
  listCcis,
  withIdent,
  withoutIdent,
} from '../../../src/web/application/editor/panels/ccis/ccis.ts'
import { PUBLISHED_NAMES } from '../../../src/web/application/parts/compare/changes.ts'
import { fieldsFromStig } from '../../../src/web/application/projects/component/component-fields.ts'
import { findReleases } from '../../../src/web/application/projects/component/find-releases.ts'
import { nameOfRelease } from '../../../src/web/application/release/published/release-names.ts'

const cci = (id: string) => ({ id, definition: `What ${id} asks for.`, deprecated: false, controls: [] })

describe('The CCI field of a rule', () => {
  const known = { source: null, ccis: [cci('CCI-000366')], unknown: ['CCI-999999'], lost: ['CCI-000015', 'CCI-000016'] }

  it('has each identifier once, and loses only the removed one', () => {
    expect(withIdent('', 'CCI-000015')).toBe('CCI-000015')
    expect(withIdent('CCI-000366; CCI-000015', 'CCI-000015')).toBe('CCI-000366, CCI-000015')
    expect(withoutIdent('CCI-000366, CCE-1 CCI-000015', 'CCI-000366')).toBe('CCE-1, CCI-000015')
    expect(withoutIdent('CCI-000366', 'CCI-000366')).toBe('')
  })

  it('is shown as typed, with definitions of the list and the search', () => {
    const shown = listCcis('CCI-000366, CCI-000044, CCI-999999', known, [cci('CCI-000044')])
    expect(shown.map(({ listed, isUnknown }) => [listed?.id, isUnknown])).toEqual([
      ['CCI-000366', false],
      ['CCI-000044', false],
      [undefined, true],
    ])
  })

  it('lacks those of the requirement until they are added', () => {
    expect(missingCcis('CCI-000366', known)).toEqual(['CCI-000015', 'CCI-000016'])
    expect(missingCcis('CCI-000366, CCI-000015', known)).toEqual(['CCI-000016'])
  })

  it('leads to the controls of the newest revision', () => {
    const reference = (revision: number, control: string) => ({ revision, control, index: `${control} a` })
    const controls = [reference(3, 'AC-1'), reference(5, 'AC-2'), reference(5, 'AC-3')]
    expect(controlsOf({ ...cci('CCI-000015'), controls }).map(({ control }) => control)).toEqual(['AC-2', 'AC-3'])
    expect(controlsOf(cci('CCI-000015'))).toEqual([])
  })
})

describe('A component that begins from a published STIG', () => {
  const stig = (version: string, is_latest: boolean) =>
    ({ id: 1, title: 'Red Kettle 9', name: 'Kettle 9', stig_id: 'RK_9_STIG', version, is_latest }) as const

  it('is begun from one that is found by name and version', () => {
    const releases = [stig('V2R6', false), stig('V2R7', true)]
    const versions = (words: readonly string[], isEvery: boolean) =>
      findReleases(releases, { words, isEvery }).shown.map(({ version }) => version)
    expect(versions(['rk_9', 'v2r7'], false)).toEqual(['V2R7'])
    expect(versions(['v2r6'], false)).toEqual([])
    expect(versions(['kettle', 'v2r6'], true)).toEqual(['V2R6'])
  })

  it('takes over its name and title, as far as they are allowed', () => {
    expect(fieldsFromStig({ name: 'K'.repeat(300), title: 'Red Kettle 9' })).toMatchObject({
      name: 'K'.repeat(255),
      title: 'Red Kettle 9',
      version: '1',
    })
  })

  it('is compared with releases, with the newer one and the changes of the publisher marked', () => {
    const release = { title: 'Red Kettle 9', version: 'V2R7', is_source: false, is_newer: false }
    expect(nameOfRelease(release)).toBe('Red Kettle 9 V2R7')
    expect(nameOfRelease({ ...release, is_newer: true })).toBe('Red Kettle 9 V2R7, newer')
    expect(nameOfRelease({ ...release, is_source: true })).toBe('Red Kettle 9 V2R7, which it was begun from')
    expect(PUBLISHED_NAMES.unchanged).toBeNull()
  })
})
