import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OSCAP, oscap } from '../../../support/programs.ts'

export const hasOscap = oscap.isInstalled

/** Validates an XCCDF document with OpenSCAP against the schema of its version; empty: valid. */
export async function faultsOf(document: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-oscap-'))
  const file = join(folder, 'benchmark-xccdf.xml')
  try {
    await writeFile(file, document)
    return await validate(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}

function validate(file: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(OSCAP, ['xccdf', 'validate', file], (error, stdout, stderr) => {
      resolve(error === null ? '' : `${stdout}${stderr}${error.message}`)
    })
  })
}
