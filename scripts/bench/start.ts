// Measures the time from the start to the first answer, and the first answer of each kind: npm run bench:start
import { join } from 'node:path'
import { formatTable } from '../../src/commands/table.ts'
import { runProgram } from './child.ts'
import { build, environment, ingest, publishCommand, publishedFiles, standardData, type PublishedFile } from './data.ts'
import { get } from './get.ts'
import { median, rounded, verdict } from './numbers.ts'
import { startService } from './service.ts'
import { inWorkspace, type Workspace } from './workspace.ts'

const RUNS = 7
const DESCRIPTIONS = 200
const VERSION = '/api/version.json'
const DESCRIBE = '/api/ontology/describe/'
const INBOUND = `${DESCRIBE}inbound/`
const DESCRIBED = { name: `describe, ${DESCRIPTIONS} subjects`, path: `${DESCRIBE}…`, bytes: 0 }
const GOALS = { startMs: 1500, coldMs: 50, describeMs: 5 } as const

/** A request that is sent first and later in one process, to compare both times. */
interface Probe {
  readonly name: string
  readonly path: string
  readonly bytes: number
  readonly times: number[]
}

await inWorkspace(async (workspace) => {
  await build(workspace)
  const data = await ingest(workspace, await standardData(workspace), 'data')
  const env = environment(data.dataDir)
  const site = join(workspace.folder, 'site')
  await runProgram(publishCommand(site), { workspace, env })
  const files = await publishedFiles(site)
  // The version was requested until it came, so it is warm already.
  const probes = chooseProbes(files.filter(({ path }) => path !== VERSION))
  const descriptions = spread(
    files.filter(({ path }) => path.startsWith(DESCRIBE) && !path.startsWith(INBOUND)),
    DESCRIPTIONS,
  )
  const starts: number[] = []
  const described: number[] = []
  for (let round = 0; round < RUNS; round += 1) {
    starts.push(await oneRun(workspace, data.dataDir, { probes, descriptions, described }))
  }
  report(data.name, starts, [...probes, { ...DESCRIBED, times: described }])
})

/** One process: its start in milliseconds; the answers' times go to the probes. */
async function oneRun(
  workspace: Workspace,
  dataDir: string,
  { probes, descriptions, described }: StartProbes,
): Promise<number> {
  const begin = performance.now()
  const { origin, stop } = await startService(workspace, { SERVICE_DATA_DIR: dataDir }, VERSION)
  const start = performance.now() - begin
  try {
    for (const { path, times } of probes) times.push(await timeOf(origin + encodeURI(path)))
    for (const { path } of descriptions) described.push(await timeOf(origin + encodeURI(path)))
    return start
  } finally {
    await stop()
  }
}

interface StartProbes {
  readonly probes: readonly Probe[]
  readonly descriptions: readonly PublishedFile[]
  readonly described: number[]
}

async function timeOf(url: string): Promise<number> {
  const { status, ms } = await get(url)
  if (status !== 200) throw new Error(`${url} answers ${status}`)
  return ms
}

/** Every document, one record of average size of each kind, and the largest technique. */
function chooseProbes(files: readonly PublishedFile[]): readonly Probe[] {
  const families = new Map<string, PublishedFile[]>()
  for (const file of files) {
    const family = familyOf(file.path)
    families.set(family, [...(families.get(family) ?? []), file])
  }
  const bySize = [...families].map(([family, members]) => {
    return [family, members.sort((a, b) => a.bytes - b.bytes)] as const
  })
  return bySize.flatMap(([family, members]) => {
    const [middle, largest] = [members[Math.floor(members.length / 2)], members.at(-1)]
    const several = members.length > 1
    return [
      ...toProbe(several ? `${family}, middling` : family, middle),
      ...(several && !family.includes('describe') ? toProbe(`${family}, largest`, largest) : []),
    ]
  })
}

function familyOf(path: string): string {
  const record = path.replace(/^(.*\/)(d3f:[^/]+|T\d[^/]*|CWE-[^/]+)\.json$/, '$1…')
  if (record.startsWith(INBOUND)) return `${INBOUND}…`
  return record.startsWith(DESCRIBE) ? `${DESCRIBE}…` : record.replace(/\/artifact\/.*/, '/artifact/…')
}

function toProbe(name: string, file: PublishedFile | undefined): readonly Probe[] {
  return file === undefined ? [] : [{ name: name.replace('/api/', ''), ...file, times: [] }]
}

/** Chooses members that are spread over the whole list, the same ones in each run. */
function spread<T>(list: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, Math.floor(list.length / count))
  return list.filter((_, index) => index % step === 0).slice(0, count)
}

function report(name: string, starts: readonly number[], probes: readonly Probe[]): void {
  const time = median(starts)
  console.log(`Start with ${name}, ${RUNS} times: spawn to first 200 of /api/version.json\n`)
  const row = [time, Math.min(...starts), Math.max(...starts)].map(Math.round)
  const goal = verdict(`< ${GOALS.startMs}`, time < GOALS.startMs)
  console.log(formatTable(['median ms', 'min ms', 'max ms', 'goal'], [[...row, goal]]))
  console.log(`\nFirst answer to each path in a process, gzip, ${RUNS} processes\n`)
  const rows = probes.map((probe) => {
    const limit = probe.path === DESCRIBED.path ? GOALS.describeMs : GOALS.coldMs
    const middle = median(probe.times)
    return [
      probe.name,
      probe.bytes === 0 ? '' : rounded(probe.bytes / 1000, 1),
      rounded(middle, 1),
      rounded(Math.max(...probe.times), 1),
      verdict(`< ${limit}`, middle < limit),
    ]
  })
  console.log(formatTable(['answer', 'kB', 'median ms', 'max ms', 'goal'], rows))
}
