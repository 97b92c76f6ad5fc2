import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Names of backups in a folder; they sort by time. */
const NAME = /^parapet-\d{8}T\d{6}Z\.zip$/
const DRAFT = /^\.parapet-\d{8}T\d{6}Z\.zip\.\d+\.tmp$/
/** No backup takes this long. */
const ABANDONED_MS = 24 * 3_600_000

export function backupName(now: Date): string {
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  return `parapet-${time}.zip`
}

/** Removes all but the latest backups of a folder, and abandoned drafts; returns the number of removed backups. */
export async function removeOldBackups(folder: string, keep: number): Promise<number> {
  const names = await readdir(folder)
  const old = names
    .filter((name) => NAME.test(name))
    .sort()
    .reverse()
    .slice(keep)
  for (const name of old) await rm(join(folder, name), { force: true })
  for (const name of names.filter((file) => DRAFT.test(file))) {
    const stats = await stat(join(folder, name)).catch(() => null)
    if (stats !== null && Date.now() - stats.mtimeMs > ABANDONED_MS) await rm(join(folder, name), { force: true })
  }
  return old.length
}
