import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatTable } from '../../src/commands/table.ts'
import type { ImportJob } from '../../src/guidance/catalogue/imports/jobs.ts'
import { BLOCK, fileUpload, manyBenchmarks, type Corpus, type Upload } from './import-data.ts'
import {
  follow,
  countLinks,
  memoryOf,
  withService,
  type BenchDatabase,
  type Service,
  type StoredBenchmark,
} from './import-service.ts'
import { median, rounded, sum, verdict } from './numbers.ts'
import type { Workspace } from './workspace.ts'

/** How much longer a rule may take in the second half of the blocks. */
const FLAT = 1.25
const HEADER = ['then', 'seconds', 'RSS MB', 'peak MB']

type Row = readonly (string | number)[]

/** Progress of an import at one time. */
interface ImportProgress {
  readonly ms: number
  readonly benchmarks: number
  readonly rules: number
}

/** Many benchmarks one after the other, and the start of a service that has them. */
export async function measureGrowth(
  workspace: Workspace,
  place: BenchDatabase,
  { corpus, count }: { readonly corpus: Corpus; readonly count: number },
): Promise<void> {
  const zip = join(workspace.folder, 'many.zip')
  await writeFile(zip, await manyBenchmarks(corpus, count))
  const rows: Row[] = []
  const last = await withService(workspace, place, async (service) => {
    const upload = await fileUpload(zip)
    const begin = performance.now()
    const { marks, stored } = await importMarked(service, upload)
    rows.push(await rowOf(service, 'imported', (performance.now() - begin) / 1000))
    reportBlocks(marks)
    if (stored !== null) rows.push(await linksRow(service, stored))
    return stored
  })
  await withService(workspace, place, async (service) => {
    rows.push(await rowOf(service, 'restarted: spawn to first answer', service.readyMs / 1000))
    if (last !== null) rows.push(await linksRow(service, last))
  })
  console.log(`\n${formatTable(HEADER, rows)}`)
}

async function importMarked(
  service: Service,
  upload: Upload,
): Promise<{ readonly marks: readonly ImportProgress[]; readonly stored: StoredBenchmark | null }> {
  const marks: ImportProgress[] = []
  const { job, answer } = await follow(service, upload, ({ imported }: ImportJob) => {
    const rules = sum(imported.map(({ rule_count }) => rule_count))
    marks.push({ ms: performance.now(), benchmarks: imported.length, rules })
  })
  const refused = job?.refused.length ?? 0
  if (refused > 0 || answer !== 'finished') console.log(`${answer}, ${refused} refused`)
  return { marks, stored: job?.imported.at(-1) ?? null }
}

async function rowOf(service: Service, name: string, seconds: number): Promise<Row> {
  const memory = await memoryOf(service)
  const figures = memory === null ? ['', ''] : [Math.round(memory.now), Math.round(memory.peak)]
  return [name, rounded(seconds, 2), ...figures]
}

async function linksRow(service: Service, stored: StoredBenchmark): Promise<Row> {
  const ms = await countLinks(service, stored)
  if (ms === null) return ['RDF of all: not there', '', '', '']
  return rowOf(service, 'RDF of all, from then on', ms / 1000)
}

function reportBlocks(marks: readonly ImportProgress[]): void {
  const blocks = blocksOf(marks)
  const rows = blocks.map(({ benchmarks, rules, ms, perRule }) => {
    return [benchmarks, rules, rounded(ms / 1000, 2), rounded(perRule, 3)]
  })
  console.log(`\nMany benchmarks in one zip, in blocks of ${BLOCK} that are the same mixture\n`)
  console.log(formatTable(['benchmarks', 'rules', 'seconds', 'ms/rule'], rows))
  const [first, last] = [marks[0], marks.at(-1)]
  if (first === undefined || last === undefined) return
  const seconds = (last.ms - first.ms) / 1000
  console.log(`\n${last.rules} rules in ${seconds.toFixed(1)} s. ${flatness(blocks)}`)
}

interface Block extends ImportProgress {
  readonly perRule: number
}

function blocksOf(marks: readonly ImportProgress[]): readonly Block[] {
  const [first] = marks
  const blocks: Block[] = []
  let before = first
  for (const mark of marks) {
    if (before === undefined) break
    const benchmarks = mark.benchmarks - before.benchmarks
    if (benchmarks < BLOCK && mark !== marks.at(-1)) continue
    const [rules, ms] = [mark.rules - before.rules, mark.ms - before.ms]
    if (rules > 0) blocks.push({ benchmarks, rules, ms, perRule: ms / rules })
    before = mark
  }
  return blocks
}

function flatness(blocks: readonly Block[]): string {
  const whole = blocks.filter(({ benchmarks }) => benchmarks >= BLOCK)
  const perRule = whole.map((block) => block.perRule)
  const half = Math.floor(perRule.length / 2)
  if (half === 0) return 'Too few blocks to compare.'
  const growth = median(perRule.slice(-half)) / median(perRule.slice(0, half))
  const goal = verdict(`≤ ${FLAT}`, growth <= FLAT)
  return `Time of a rule, second half of the blocks ÷ first half: ${growth.toFixed(2)}, ${goal}`
}
