import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { hasCode, messageOf, Refusal } from '../errors.ts'

/** The mode of folders that only the owner may read. */
export const PRIVATE_MODE = 0o700

/**
 * Creates a folder and missing folders above it. Node's recursive `mkdir` never returns if the system reports a folder as
 * missing although the one above it exists, as below /proc.
 */
export function makeFolder(folder: string, mode?: number): void {
  try {
    makeOne(folder, mode)
  } catch (error) {
    const above = dirname(resolve(folder))
    if (!hasCode(error, 'ENOENT') || isFolder(above) || above === resolve(folder)) throw error
    makeFolder(above, mode)
    makeOne(folder, mode)
  }
}

/** Creates a folder in SERVICE_DATA_DIR, or that folder itself. A refusal names the setting. */
export function makeDataFolder(folder: string, mode?: number): void {
  try {
    makeFolder(folder, mode)
  } catch (error) {
    refuseFolder(error)
  }
}

/** Creates a folder that an operator has named. */
export function makeOutputFolder(out: string): void {
  try {
    makeFolder(out)
  } catch (error) {
    throw new Refusal('folder_unusable', `${out}: ${messageOf(error)}.`)
  }
}

export function refuseFolder(error: unknown): never {
  throw new Refusal('folder_unusable', `SERVICE_DATA_DIR cannot be used: ${messageOf(error)}.`)
}

function makeOne(folder: string, mode: number | undefined): void {
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    if (!hasCode(error, 'EEXIST') || !isFolder(folder)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
