// Memory of a service under load: npm run bench:memory -- [--benchmarks 50] [--minutes 1] [--pause 20] [--rest 150]
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { formatTable } from '../../src/commands/table.ts'
import { build, ingest, standardData } from './data.ts'
import { settingsFor } from './databases.ts'
import { findCorpus, manyBenchmarks } from './import-data.ts'
import { mixedLoad } from './memory-load.ts'
import { sum, verdict } from './numbers.ts'
import { untilQuiet } from './processor-time.ts'
import { memoryOf, withService } from './service.ts'
import { importFile } from './uploads.ts'
import { inWorkspace, type Workspace } from './workspace.ts'

const READY_SECONDS = 10
/** Limits in MB by the number of benchmarks. */
const GOALS = new Map([
  [50, 300],
  [130, 450],
])

const { values } = parseArgs({
  options: {
    benchmarks: { type: 'string', default: '50' },
    minutes: { type: 'string', default: '1' },
    /** Milliseconds that each client waits before its next request. */
    pause: { type: 'string', default: '20' },
    /** Seconds without any request after the load. */
    rest: { type: 'string', default: '150' },
    /** Leaves out the settings of the systemd unit for the allocator and V8. */
    plain: { type: 'boolean', default: false },
  },
})
const benchmarks = Number(values.benchmarks)
const restSeconds = Number(values.rest)

await inWorkspace(async (workspace) => {
  await build(workspace)
  const settings = await filled(workspace)
  await withService(workspace, settings, async (service) => {
    const rows: (readonly (string | number)[])[] = []
    const report = async (moment: string): Promise<number> => {
      const { now, peak } = await memoryOf(service.pid)
      rows.push([moment, Math.round(now), Math.round(peak)])
      return now
    }
    await untilQuiet(service.pid)
    await sleep(READY_SECONDS * 1000)
    await report('after the start')
    const load = { seconds: Number(values.minutes) * 60, pauseMs: Number(values.pause) }
    const { requests, failed } = await mixedLoad(service, load)
    console.log(`\n${requests} requests in ${values.minutes} minutes, ${failed} failed\n`)
    const loaded = await report('at the end of the load')
    await sleep(restSeconds * 1000)
    await report(`after ${restSeconds} s of rest`)
    console.log(formatTable(['', 'resident MB', 'peak MB'], rows))
    const goal = GOALS.get(benchmarks)
    if (goal !== undefined) console.log(`\nAt the end of the load: ${verdict(`< ${goal} MB`, loaded < goal)}`)
  })
})

/** Settings of a service with the ontology and this number of benchmarks, which another process has imported. */
async function filled(workspace: Workspace): Promise<Readonly<Record<string, string>>> {
  const { dataDir } = await ingest(workspace, await standardData(workspace), 'data')
  const ownSettings = settingsFor({ name: 'SQLite', dataDir, url: null })
  const settings = values.plain ? ownSettings : { ...(await unitSettings()), ...ownSettings }
  const corpus = await findCorpus()
  if (corpus === null) return settings
  const bytes = await manyBenchmarks(corpus, benchmarks)
  await withService(workspace, settings, async (service) => {
    const { answer, job } = await importFile(service, { fileName: 'many.zip', bytes })
    const stored = job?.imported ?? []
    const rules = sum(stored.map(({ rule_count }) => rule_count))
    console.log(`Import ${answer}: ${stored.length} benchmarks, ${rules} rules`)
  })
  return settings
}

/** The settings for malloc and Node that the systemd unit and the image have. */
async function unitSettings(): Promise<Readonly<Record<string, string>>> {
  const unit = await readFile(new URL('../../docs/operate/parapet.service', import.meta.url), 'utf8')
  const set = [...unit.matchAll(/^Environment=((?:LD_PRELOAD|MALLOC|NODE_OPTIONS)\w*)=(.*)$/gm)]
  return Object.fromEntries(set.map(([, name = '', value = '']) => [name, value]))
}
