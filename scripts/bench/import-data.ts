import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { zipOf } from '../../test/support/zip.ts'
import { ROOT } from './child.ts'

/** A file that is uploaded in one form. */
export interface Upload {
  readonly fileName: string
  readonly bytes: Uint8Array
}

/** Other people's files to measure with. */
export interface Corpus {
  /** RHEL 9 V2R7. */
  readonly benchmark: string
  /** Every XML file, including those that are refused. */
  readonly files: readonly string[]
  /** A zip of 0.3 MB that unpacks to 300 MB; null if it is not available. */
  readonly bomb: string | null
}

/** Number of files that are copied in turn. */
const BLOCK = 20

const BENCHMARK = 'U_RHEL_9_STIG_V2R7_Manual-xccdf.xml'
/** A size just below the limit. */
const LARGE_BYTES = 49_900_000

/** Null without XCCDF files in the folder that `PARAPET_CORPUS` names. */
export async function findCorpus(): Promise<Corpus | null> {
  const folder = resolve(ROOT, process.env['PARAPET_CORPUS'] ?? '../shared/corpus')
  const xccdf = join(folder, 'xccdf')
  if (!existsSync(join(xccdf, BENCHMARK))) return null
  const names = (await readdir(xccdf)).filter((name) => name.endsWith('.xml')).sort()
  const bomb = join(folder, 'hostile', 'zip-bomb-300mb.zip')
  return {
    benchmark: join(xccdf, BENCHMARK),
    files: names.map((name) => join(xccdf, name)),
    bomb: existsSync(bomb) ? bomb : null,
  }
}

export async function fileUpload(file: string): Promise<Upload> {
  return { fileName: basename(file), bytes: await readFile(file) }
}

/** A zip of benchmarks that are copies of real ones under other ids. */
export async function manyBenchmarks({ files }: Corpus, count: number): Promise<Uint8Array> {
  const manual = files.filter((file) => /\/U_[^/]*_Manual-xccdf\.xml$/.test(file)).slice(0, BLOCK)
  const texts = await Promise.all(manual.map((file) => readFile(file, 'utf8')))
  const members: Record<string, string> = {}
  for (let index = 0; index < count; index += 1) {
    const number = String(index).padStart(4, '0')
    members[`copy-${number}-xccdf.xml`] = copyOf(texts[index % texts.length] ?? '', `c${number}`)
  }
  return zipOf(members)
}

function copyOf(text: string, mark: string): string {
  return text
    .replace(/(<Benchmark\b[^>]*?\sid=")([^"]*)/, `$1$2_${mark}`)
    .replaceAll(/(<Rule\b[^>]*?\sid=")/g, `$1${mark}_`)
}

/** Repeats the groups of one benchmark under other ids. */
export async function largeBenchmark({ benchmark }: Corpus): Promise<Upload> {
  const text = await readFile(benchmark, 'utf8')
  const [from, to] = [text.indexOf('<Group id='), text.lastIndexOf('</Group>') + '</Group>'.length]
  const groups = text.slice(from, to)
  const head = text.slice(0, from).replace(/(<Benchmark\b[^>]*?\sid=")([^"]*)/, '$1$2_large')
  const parts = [Buffer.from(head)]
  const tail = Buffer.from(text.slice(to))
  let size = Buffer.byteLength(head) + tail.length
  for (let copy = 0; ; copy += 1) {
    const part = Buffer.from(groups.replaceAll(/(<(?:Group|Rule) id=")/g, `$1c${copy}_`))
    size += part.length
    if (size > LARGE_BYTES) break
    parts.push(part)
  }
  return { fileName: 'large-xccdf.xml', bytes: Buffer.concat([...parts, tail]) }
}
