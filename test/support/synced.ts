import type { Stats } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { vi } from 'vitest'

/** The files and folders that were synchronised to disk, in order. */
export async function syncedDuring(work: () => Promise<unknown>): Promise<readonly Stats[]> {
  const handle = await open('.', 'r')
  const prototype: unknown = Object.getPrototypeOf(handle)
  await handle.close()
  if (!canSync(prototype)) throw new Error('File handles have no prototype of their own')
  const synced: Stats[] = []
  const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    synced.push(await this.stat())
  })
  try {
    await work()
  } finally {
    spy.mockRestore()
  }
  return synced
}

function canSync(value: unknown): value is Pick<FileHandle, 'sync'> {
  return typeof value === 'object' && value !== null && 'sync' in value
}
