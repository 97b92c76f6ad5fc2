import { expect, it } from 'vitest'
import {
  cciNamed,
  controlNamed,
  controlOf,
  revisionOf,
} from '../../../../../src/guidance/catalogue/reference-data/controls/control-names.ts'
import { compareVersions } from '../../../../../src/guidance/catalogue/reference-data/reader.ts'

it.each([
  ['AC-1 a 1', 'AC-1'],
  ['AC-2 (7) (c)', 'AC-2 (7)'],
  ['AC-02(01)', 'AC-2 (1)'],
  ['ac-2.1', 'AC-2 (1)'],
  ['AR-8 a (1)', 'AR-8'],
  ['none', null],
])('The place %s belongs to the control %s', (place, control) => {
  expect(controlOf(place)).toBe(control)
})

it.each([
  ['ac-2.1', 'AC-2 (1)'],
  [' AC-2(1) ', 'AC-2 (1)'],
  ['AC-2 a', null],
  ['AC', null],
])('The control %s is named %s', (name, control) => {
  expect(controlNamed(name)).toBe(control)
})

it.each([
  ['cci-366', 'CCI-000366'],
  ['CCI-000366', 'CCI-000366'],
  ['CCI-1234567', null],
  ['366', null],
])('The CCI %s is named %s', (name, cci) => {
  expect(cciNamed(name)).toBe(cci)
})

it.each([
  ['NIST SP 800-53', '3', 3],
  ['NIST SP 800-53 Revision 4', '4', 4],
  ['NIST SP 800-53 Revision 5', null, 5],
  ['NIST SP 800-53A', '1', null],
  ['NIST SP 800-53', 'x', null],
  [null, '3', null],
])('The document %s in version %s is revision %s', (title, version, revision) => {
  expect(revisionOf({ title, version })).toBe(revision)
})

it.each([
  ['2016-06-27', '2024-11-05'],
  ['5.1.1+u4', '5.2'],
  ['9', '10'],
  ['1', '1.1'],
])('Version %s is older than %s', (older, newer) => {
  expect(compareVersions(older, newer)).toBeLessThan(0)
  expect(compareVersions(newer, older)).toBeGreaterThan(0)
  expect(compareVersions(older, older)).toBe(0)
})
