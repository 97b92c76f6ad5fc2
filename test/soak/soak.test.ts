// @module-tag long

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { builtProgram } from '../support/build.ts'
import { freePort } from '../support/free-port.ts'
import { runs } from '../support/runs.ts'
import { reportOf } from './report.ts'
import { soak } from './soak.ts'

const SECONDS = 6 * Math.min(runs(1), 20)
const INVENTED = { kind: 'project', id: 999_999, name: 'Nobody <made> this' } as const

describe('A soak', () => {
  it('finds every acknowledged record, and names missing ones', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parapet-soak-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await writeFile(join(folder, 'ledger'), `${JSON.stringify(INVENTED)}\n`)
    const soaked = await soak({
      program: builtProgram('src/main.ts'),
      folder,
      port: await freePort(),
      seconds: SECONDS,
      processes: 1,
      databaseUrl: null,
      restartDatabase: null,
    })
    expect(soaked.acknowledged).toBeGreaterThan(5)
    expect(soaked.record.happenings.map(({ what }) => what)).toContain('kill -9')
    expect(soaked.findings).toEqual([{ entry: INVENTED, missing: 'the project' }])
    const report = reportOf(soaked)
    expect(report).toContain(`${soaked.acknowledged} acknowledged, 1 lost.`)
    expect(report).toContain('<polyline class="curve" points="50.0,')
    expect(report).toContain('Nobody &lt;made&gt; this')
    expect(report).not.toMatch(/<script|src=|href=/)
  })
})
