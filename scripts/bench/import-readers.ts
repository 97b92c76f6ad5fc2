import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { z } from 'zod'
import { formatTable } from '../../src/commands/table.ts'
import { messageOf } from '../../src/platform/errors.ts'
import { build, builtModule } from '../../test/support/build.ts'
import { runProgram } from './child.ts'
import { rounded } from './numbers.ts'
import type { Workspace } from './workspace.ts'

const TIMES = 7
const PEER = '@mitre/inspec-objects'
const PEER_VERSION = '2.0.5'
const SCRIPT = fileURLToPath(new URL('./import-read.js', import.meta.url))
const OURS = pathToFileURL(builtModule('src/guidance/catalogue/xccdf/reader.ts')).href

const reported = z.object({ rules: z.int(), took: z.array(z.number()) })

/** Our reader of benchmarks beside another one, each in a process of its own. */
export async function compareReaders(workspace: Workspace, file: string): Promise<void> {
  await build()
  const ours = await timesOf(workspace, ['ours', OURS, file])
  const folder = await installPeer(workspace)
  const rows = [rowOf('ours', ours)]
  if (folder !== null) {
    const module = join(folder, 'node_modules', PEER)
    const peer = await timesOf(workspace, ['inspec-objects', module, file])
    const [first, best] = [firstOf(ours) / firstOf(peer), bestOf(ours) / bestOf(peer)]
    rows.push(rowOf(`${PEER} ${PEER_VERSION}`, peer))
    rows.push(['ours ÷ peer', '', rounded(first, 2), rounded(best, 2)])
  }
  console.log('\nReading RHEL 9 V2R7 alone, from bytes to rules\n')
  console.log(formatTable(['reader', 'rules', 'first ms', `best of ${TIMES} ms`], rows))
}

type Report = z.infer<typeof reported>

async function timesOf(workspace: Workspace, args: readonly string[]): Promise<Report> {
  const output = await runProgram([process.execPath, SCRIPT, ...args, String(TIMES)], { workspace })
  return reported.parse(JSON.parse(output.trimEnd().split('\n').at(-1) ?? ''))
}

function firstOf({ took }: Report): number {
  return took[0] ?? Number.NaN
}

function bestOf({ took }: Report): number {
  return Math.min(...took)
}

function rowOf(name: string, report: Report): readonly (string | number)[] {
  const { rules } = report
  return [name, rules, rounded(firstOf(report), 1), rounded(bestOf(report), 1)]
}

/** Not one of our dependencies; null, with a word about it, where it cannot be had. */
async function installPeer(workspace: Workspace): Promise<string | null> {
  const folder = join(workspace.folder, 'peer')
  await mkdir(folder)
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--fetch-retries=1']
  const install = ['npm', 'install', '--prefix', folder, ...quiet, `${PEER}@${PEER_VERSION}`]
  try {
    await runProgram(install, { workspace })
    return folder
  } catch (error) {
    workspace.stopped.throwIfAborted()
    console.log(`\nThere is no ${PEER} to compare with: ${messageOf(error)}`)
    return null
  }
}
