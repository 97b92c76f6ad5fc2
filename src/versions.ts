import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { z } from 'zod'

const manifest = z.object({ version: z.string() })
const built = z.object({ commit: z.string().nullable() })

export interface ProgramVersions {
  readonly version: string
  /** The commit, with `+` if sources were changed; null if it is unknown. */
  readonly commit: string | null
  /** Version of Express. */
  readonly frameworkVersion: string
}

/** Versions of the running program. */
export function programVersions(): ProgramVersions {
  const express = createRequire(import.meta.url).resolve('express/package.json')
  return {
    version: versionOf(new URL('../package.json', import.meta.url)),
    commit: commitOf(new URL('.built', import.meta.url)),
    frameworkVersion: versionOf(express),
  }
}

function versionOf(file: URL | string): string {
  return manifest.parse(JSON.parse(readFileSync(file, 'utf8'))).version
}

/** The build writes this file; sources that run directly do not have it. */
function commitOf(stamp: URL): string | null {
  const text = existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''
  return text === '' ? null : built.parse(JSON.parse(text)).commit
}
