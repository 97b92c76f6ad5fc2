// Publishing whole releases, and how it grows with them: npm run bench:publish
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { formatTable } from '../../src/commands/table.ts'
import {
  build,
  environment,
  generatedData,
  ingest,
  publishCommand,
  publishedFiles,
  standardData,
  type Data,
  type IngestedRelease,
} from './data.ts'
import { rounded, sum, verdict } from './numbers.ts'
import { measure, type Usage } from './usage.ts'
import { inWorkspace, type Workspace } from './workspace.ts'

const FACTORS = [1, 5, 10]
const COLUMNS = ['data', 'ingest s', 'publish s', 'peak MB', 'files', 'MB', 's per 1,000 files']
const GOALS = { seconds: 10, secondsWithDescribe: 20, peakMb: 700 } as const

interface Run extends Usage {
  readonly name: string
  readonly ingestSeconds: number
  readonly files: number
  readonly mb: number
  readonly goal: string
}

await inWorkspace(async (workspace) => {
  await build(workspace)
  const standard = await standardData(workspace)
  const timed = await timedIngest(workspace, standard)
  const plain = await publish(workspace, timed, { describe: false })
  const described = await publish(workspace, timed, { describe: true })
  console.log(`Publishing ${standard.name}\n`)
  printRuns([withGoal(plain, GOALS.seconds), withGoal(described, GOALS.secondsWithDescribe)])
  const runs: Run[] = []
  for (const factor of FACTORS) {
    const data = await timedIngest(workspace, await generatedData(workspace, factor))
    runs.push(await publish(workspace, data, { describe: false }))
    await rm(data.dataDir, { recursive: true })
  }
  console.log('\nPublishing generated releases, without describe; × and per file against the first\n')
  printGrowth(runs)
})

async function timedIngest(
  workspace: Workspace,
  data: Data,
): Promise<IngestedRelease & { readonly ingestSeconds: number }> {
  const start = performance.now()
  const ingested = await ingest(workspace, data, 'data')
  return { ...ingested, ingestSeconds: (performance.now() - start) / 1000 }
}

async function publish(
  workspace: Workspace,
  { name, dataDir, ingestSeconds }: IngestedRelease & { readonly ingestSeconds: number },
  { describe }: { readonly describe: boolean },
): Promise<Run> {
  const out = join(workspace.folder, 'site')
  const command = publishCommand(out, ...(describe ? [] : ['--no-describe']))
  const usage = await measure(workspace, command, environment(dataDir))
  const files = await publishedFiles(out)
  await rm(out, { recursive: true })
  const mb = sum(files.map(({ bytes }) => bytes)) / 1e6
  const suffix = describe ? ', with describe' : ''
  return { ...usage, name: name + suffix, ingestSeconds, files: files.length, mb, goal: '' }
}

function withGoal(run: Run, seconds: number): Run {
  const time = verdict(`< ${seconds} s`, run.seconds < seconds)
  if (seconds !== GOALS.seconds) return { ...run, goal: time }
  return { ...run, goal: `${time}, ${verdict(`< ${GOALS.peakMb} MB`, run.peakMb < GOALS.peakMb)}` }
}

function printRuns(runs: readonly Run[]): void {
  console.log(
    formatTable(
      [...COLUMNS, 'goal'],
      runs.map((run) => [...cells(run), run.goal]),
    ),
  )
}

function printGrowth(runs: readonly Run[]): void {
  const [first] = runs
  if (first === undefined) return
  const rows = runs.map((run) => [
    ...cells(run),
    rounded(run.mb / first.mb, 2),
    rounded(run.ingestSeconds / first.ingestSeconds, 2),
    rounded(run.seconds / first.seconds, 2),
    rounded(perThousand(run) / perThousand(first), 2),
  ])
  console.log(formatTable([...COLUMNS, 'MB ×', 'ingest ×', 'publish ×', 'per file ×'], rows))
}

function cells(run: Run): readonly (string | number)[] {
  const { name, ingestSeconds, seconds, peakMb, files, mb } = run
  const times = [rounded(ingestSeconds, 1), rounded(seconds, 1), Math.round(peakMb)]
  return [name, ...times, files, rounded(mb, 1), rounded(perThousand(run), 2)]
}

function perThousand({ seconds, files }: Run): number {
  return (seconds / files) * 1000
}
