import { describe, expect, it } from 'vitest'
import { benchmarkKind } from '../../../../src/guidance/catalogue/xccdf/kind.ts'

const NOBODY = { benchmarkId: 'b', title: 't', publisher: null, versions: [], tagged: false }

describe('The kind of a benchmark', () => {
  it.each([
    [
      { versions: ['SRG-OS-1', 'SRG-OS-2'], title: 'A STIG' },
      { kind: 'srg', mixed: false },
    ],
    [{ versions: ['SRG-OS-1', 'SRG-OS-2', 'X-1'] }, { kind: 'srg', mixed: true }],
    [{ versions: ['SRG-OS-1', 'X-1', 'X-2'] }, { kind: 'stig', mixed: true }],
    [{ benchmarkId: 'RHEL_9_STIG' }, { kind: 'stig', mixed: false }],
    [{ title: 'A Security Technical Implementation Guide' }, { kind: 'stig', mixed: false }],
    [
      { title: 'Some SRG', publisher: 'DISA' },
      { kind: 'stig', mixed: false },
    ],
    [{ tagged: true }, { kind: 'stig', mixed: false }],
    [
      { benchmarkId: 'prestige', title: 'Stigma', publisher: 'CIS' },
      { kind: null, mixed: false },
    ],
  ])('of %j is %j', (evidence, kind) => {
    expect(benchmarkKind({ ...NOBODY, ...evidence })).toEqual(kind)
  })
})
