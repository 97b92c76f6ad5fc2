// Publishing a whole release: npm run bench:publish
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatTable } from '../../src/commands/table.ts'
import { runProgram } from './child.ts'
import { build, environment, ingest, publishCommand, publishedFiles, standardData } from './data.ts'
import { rounded, sum, verdict } from './numbers.ts'
import { inWorkspace } from './workspace.ts'

const GOALS = { seconds: 10, secondsWithDescribe: 20, peakMb: 700 } as const
/** Writes the peak of memory (in kB) to a file when the process ends. */
const REPORTER = `data:text/javascript,${encodeURIComponent(
  "import { writeFileSync } from 'node:fs'; process.on('exit', () => writeFileSync(process.env.BENCH_PEAK, String(process.resourceUsage().maxRSS)))",
)}`

await inWorkspace(async (workspace) => {
  await build(workspace)
  const { name, dataDir } = await ingest(workspace, await standardData(workspace), 'data')
  const rows: (readonly (string | number)[])[] = []
  for (const [label, options, goal] of [
    ['without describe', ['--no-describe'], GOALS.seconds],
    ['with describe', [], GOALS.secondsWithDescribe],
  ] as const) {
    const out = join(workspace.folder, label)
    const report = join(workspace.folder, 'peak')
    const [node = '', ...command] = publishCommand(out, ...options)
    const env = { ...environment(dataDir), BENCH_PEAK: report }
    const begin = performance.now()
    await runProgram([node, '--import', REPORTER, ...command], { workspace, env })
    const seconds = (performance.now() - begin) / 1000
    const peakMb = (Number(await readFile(report, 'utf8')) * 1024) / 1e6
    const files = await publishedFiles(out)
    const megabytes = sum(files.map(({ bytes }) => bytes)) / 1e6
    const goals = [verdict(`< ${goal} s`, seconds < goal), verdict(`< ${GOALS.peakMb} MB`, peakMb < GOALS.peakMb)].join(
      ', ',
    )
    rows.push([label, rounded(seconds, 1), Math.round(peakMb), files.length, rounded(megabytes, 1), goals])
  }
  console.log(`Publishing ${name}\n`)
  console.log(formatTable(['', 'seconds', 'peak MB', 'files', 'MB', 'goals'], rows))
})
