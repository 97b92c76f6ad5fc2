import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { virtuoso } from './programs.ts'

/** A Virtuoso for one test, with the user `dba` and the password `dba`. */
export interface Virtuoso {
  readonly queries: string
  /** URL for writing graphs, which requires the password. */
  readonly store: string
  stop(): Promise<void>
}

export function hasVirtuoso(): boolean {
  return virtuoso.isInstalled
}

const START_MS = 60_000

interface VirtuosoOptions {
  /** Virtuoso silently leaves out further rows. */
  readonly mostRows: number
  /** Number of buffers, 8 KiB each. */
  readonly buffers: number
}

export async function startVirtuoso(options: VirtuosoOptions = { mostRows: 1500, buffers: 2000 }): Promise<Virtuoso> {
  const home = await mkdtemp(join(tmpdir(), 'parapet-virtuoso-'))
  const [sql, http] = [await freePort(), await freePort()]
  await writeFile(join(home, 'virtuoso.ini'), settings({ ...options, sql, http }))
  const child = spawn('virtuoso-t', ['+foreground', '+configfile', 'virtuoso.ini'], { cwd: home, stdio: 'ignore' })
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    await rm(home, { recursive: true, force: true })
  }
  const base = `http://127.0.0.1:${http}`
  const deadline = Date.now() + START_MS
  while (!(await answers(`${base}/sparql?query=ASK%7B%7D`))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop()
      throw new Error('Virtuoso does not start')
    }
    await sleep(100)
  }
  return { queries: `${base}/sparql`, store: `${base}/sparql-graph-crud-auth`, stop }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url)
    await response.body?.cancel()
    return true
  } catch {
    return false
  }
}

function settings({
  sql,
  http,
  mostRows,
  buffers,
}: VirtuosoOptions & { readonly sql: number; readonly http: number }): string {
  const sections = {
    Database: [
      'DatabaseFile=virtuoso.db',
      'ErrorLogFile=virtuoso.log',
      'LockFile=virtuoso.lck',
      'TransactionFile=virtuoso.trx',
      'xa_persistent_file=virtuoso.pxa',
      'FileExtend=200',
    ],
    TempDatabase: ['DatabaseFile=virtuoso-temp.db', 'TransactionFile=virtuoso-temp.trx'],
    Parameters: [
      `ServerPort=127.0.0.1:${sql}`,
      `NumberOfBuffers=${buffers}`,
      `MaxDirtyBuffers=${Math.floor(buffers * 0.75)}`,
      'ServerThreads=10',
      'CheckpointInterval=0',
    ],
    HTTPServer: [`ServerPort=127.0.0.1:${http}`, 'ServerThreads=10'],
    SPARQL: [`ResultSetMaxRows=${mostRows}`],
  }
  return Object.entries(sections)
    .flatMap(([name, lines]) => [`[${name}]`, ...lines])
    .join('\n')
}
