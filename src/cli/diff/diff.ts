import { runCommand } from '../../commands/command.ts'
import { headText } from '../../guidance/catalogue/files/encoding.ts'
import { readHead } from '../../guidance/catalogue/files/read-head.ts'
import { findRoot } from '../../guidance/catalogue/files/xml.ts'
import type { ReadOptions } from '../../guidance/catalogue/xccdf/benchmark.ts'
import { Refusal } from '../../platform/errors.ts'
import { sizeOf } from '../../platform/files/file-kinds.ts'
import { kindOf } from '../file-options.ts'
import { deliver, formatOf, OUTPUT_OPTIONS, toJson } from '../output.ts'
import { styleOf } from '../terminal.ts'
import { withFileName } from '../with-file-name.ts'
import type { Comparison } from './changes.ts'

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'

const RDF_ENDINGS = /\.(?:ttl|nt|nq|trig|owl|rdf|jsonld)(?:\.gz)?$/i

const USAGE = `Usage: parapet diff OLD NEW [options]

Compares two releases of a benchmark (XCCDF, or a zip with one) or of the ontology (Turtle, JSON-LD, RDF/XML and other
RDF), word by word. On a terminal it prints a table and the texts, else the JSON that the service answers.

  --json             JSON, also on a terminal
  --format FORMAT    table, json or markdown (for the comment of a pull request)
  --out FILE         write to this file
  --kind KIND        srg or stig, for benchmarks that do not say it
  --version V        the version of benchmarks that have none

Exit status: 0 they are the same, 1 they differ, 2 they cannot be compared.`

const OPTIONS = {
  ...OUTPUT_OPTIONS,
  kind: { type: 'string' },
  version: { type: 'string' },
} as const

const OPERANDS = { least: 2, most: 2, missing: 'Name two files: the older and the newer one.' }
const EXIT_WITH_DIFFERENCES = 1

const command = { usage: USAGE, options: OPTIONS, operands: OPERANDS, refusedStatus: 2 }

await runCommand(command, async ({ kind, version, ...values }, [older = '', newer = '']) => {
  const format = formatOf(values, ['markdown'])
  const comparison = await compare([older, newer], { documentType: kindOf(kind), version })
  const text = await write(comparison, format)
  if (!comparison.isSame) process.exitCode = EXIT_WITH_DIFFERENCES
  return deliver(text, values)
})

async function compare([older, newer]: readonly [string, string], options: ReadOptions): Promise<Comparison> {
  const [isOlder, isNewer] = [await isOntology(older), await isOntology(newer)]
  if (isOlder !== isNewer) {
    const [ontology, benchmark] = isOlder ? [older, newer] : [newer, older]
    throw new Refusal('usage', `${ontology} is of the ontology, and ${benchmark} is not: both must be of one kind.`)
  }
  if (isOlder) {
    const { compareOntologies } = await import('./ontologies.ts')
    return compareOntologies(older, newer)
  }
  const { compareBenchmarks } = await import('./benchmarks.ts')
  return compareBenchmarks(older, newer, options)
}

async function write(comparison: Comparison, format: 'table' | 'json' | 'markdown'): Promise<string> {
  if (format === 'json') return toJson(comparison.json)
  if (format === 'markdown') return (await import('./show.ts')).comparisonAsMarkdown(comparison)
  return (await import('./show.ts')).showComparison(comparison, styleOf(process.stdout))
}

/** Whether a file is RDF, by its ending or its root. Refuses anything that is not a file. */
async function isOntology(file: string): Promise<boolean> {
  await withFileName(file, () => sizeOf(file))
  if (RDF_ENDINGS.test(file)) return true
  const { head } = await readHead(file)
  const start = Buffer.from(head).toString('latin1').trimStart()
  if (start.startsWith('{') || start.startsWith('[')) return /"@(?:context|graph|id)"/.test(start)
  if (/^(?:@prefix|@base|PREFIX|BASE)\s/i.test(start)) return true
  return start.includes('<') && findRootOf(head)?.uri === RDF
}

function findRootOf(head: Uint8Array): ReturnType<typeof findRoot> {
  try {
    return findRoot(headText(head))
  } catch {
    return null
  }
}
