import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Temporary folder of a bench. */
export interface Workspace {
  readonly folder: string
  /** Fires when the bench must stop; then every process that it started ends. */
  readonly stopped: AbortSignal
}

/** Runs a bench in its own folder, and removes the folder afterwards, even after an error. */
export async function inWorkspace(bench: (workspace: Workspace) => Promise<void>): Promise<void> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stop.abort(new Error('The bench was stopped'))
    })
  }
  const folder = await mkdtemp(join(tmpdir(), 'parapet-bench-'))
  try {
    await bench({ folder, stopped: stop.signal })
  } catch (error) {
    if (!stop.signal.aborted) throw error
    process.exitCode = 130
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
