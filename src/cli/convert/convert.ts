import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { programVersion } from '../../commands/backups/program-version.ts'
import { UsageRefusal, runCommand } from '../../commands/command.ts'
import { convertFile, TARGETS, type Conversion, type Target } from '../../guidance/interchange/conversion/convert.ts'
import { withWorkspace } from '../../guidance/interchange/conversion/workspace.ts'
import { isFolder } from '../../platform/files/file-kinds.ts'
import { createLog } from '../../platform/log.ts'
import { encodingOf, kindOf } from '../file-options.ts'
import { writeOut } from '../output.ts'
import { withTemporaryFolder } from '../temporary-folder.ts'
import { withFileName } from '../with-file-name.ts'

const USAGE = `Usage: parapet convert FILE --to FORMAT [options]

Converts a benchmark (XCCDF, or a zip with one), a spreadsheet of rules (CSV or XLSX) or an archive of components.

  --to FORMAT      xccdf, ckl, cklb (checklists), inspec (a zip with a profile),
                   oscal (a component definition), xlsx, csv or json
  --out FILE       write to this file, or to a folder under a name of its own
  --srg FILE       the SRG that it is based on; may be given several times, the primary one first. A spreadsheet needs
                   one, and an archive those that it does not have
  --prefix P       the beginning of the ids of rules, such as RHEL-09; default: from the ids of the file
  --name NAME      the name of the component in inspec, oscal and xlsx, and of a spreadsheet; default: from the file
  --encoding NAME  utf-8, windows-1252 or utf-16, for a CSV file that is not in UTF-8
  --kind KIND      srg or stig, for benchmarks that do not say it
  --version V      the version of benchmarks that have none

Exit status: 0 converted, 2 not.`

const OPTIONS = {
  to: { type: 'string' },
  out: { type: 'string' },
  srg: { type: 'string', multiple: true },
  prefix: { type: 'string' },
  name: { type: 'string' },
  encoding: { type: 'string' },
  kind: { type: 'string' },
  version: { type: 'string' },
} as const

const OPERANDS = { least: 1, most: 1, missing: 'Name one file.' }

const command = { usage: USAGE, options: OPTIONS, operands: OPERANDS, refusedStatus: 2 }

await runCommand(command, async ({ to, out, srg = [], prefix, name, kind, version, encoding }, [file = '']) => {
  const target = targetOf(to)
  if (prefix !== undefined && !/^\w{4}-\w{2}$/.test(prefix))
    throw new UsageRefusal(`--prefix ${prefix}: of the form AAAA-00.`)
  const program = programVersion()
  const options = {
    file,
    to: target,
    srgs: srg,
    prefix,
    name,
    documentType: kindOf(kind),
    version,
    encoding: encodingOf(encoding),
    program,
  }
  await withTemporaryFolder(async (folder) => convert({ ...options, folder }, out))
  return null
})

function targetOf(to: string | undefined): Target {
  const names = Object.keys(TARGETS)
  if (to === undefined) throw new UsageRefusal(`Name a format with --to: ${names.join(', ')}.`)
  if (isTarget(to)) return to
  throw new UsageRefusal(`--to ${to}: must be one of ${names.join(', ')}.`)
}

function isTarget(name: string): name is Target {
  return Object.hasOwn(TARGETS, name)
}

/** The file is written inside the workspace, because its content is produced while it is written. */
async function convert(conversion: Conversion, out: string | undefined): Promise<void> {
  const { file, folder } = conversion
  await withWorkspace({ folder, log: createLog('silent') }, async (workspace) => {
    const { body, mediaType, fileName } = await withFileName(file, () => convertFile(workspace, conversion))
    const pieces = typeof body === 'string' || body instanceof Uint8Array ? [body] : body
    if (out === undefined) {
      if (process.stdout.isTTY && /zip|sheet/.test(mediaType))
        throw new UsageRefusal('Name a file with --out: this format is not text.')
      await pipeline(Readable.from(pieces), process.stdout, { end: false })
      return
    }
    const target = (await isFolder(out)) ? join(out, fileName ?? 'converted') : out
    await writeOut(target, (draft) => pipeline(Readable.from(pieces), createWriteStream(draft)))
  })
}
