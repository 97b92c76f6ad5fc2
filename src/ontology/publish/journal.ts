import { createHash } from 'node:crypto'
import { open, readFile, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { jsonIn } from '../../platform/json.ts'

const entry = z.object({ path: z.string(), bytes: z.int(), sha256: z.string() })

/** One published answer: its decoded path, and the length and digest of its content. */
export type PublishedAnswer = z.infer<typeof entry>

/**
 * Lists the finished files of an incomplete run, one per line. The first line identifies the published content; a
 * journal of other content is ignored.
 */
export class Journal {
  readonly #file: string
  readonly #heading: string
  #handle: Promise<FileHandle> | null = null

  constructor(out: string, heading: Readonly<Record<string, unknown>>) {
    this.#file = join(out, '.publish-journal')
    this.#heading = JSON.stringify(heading)
  }

  /** Answers of an interrupted run of the same kind. Starts a new journal if there is none. */
  async resume(): Promise<readonly PublishedAnswer[]> {
    const text = await readFile(this.#file, 'utf8').catch(() => '')
    const [heading, ...lines] = text.split('\n')
    if (heading === this.#heading) return lines.flatMap(parseLine)
    await writeFile(this.#file, `${this.#heading}\n`)
    return []
  }

  async add(files: readonly PublishedAnswer[]): Promise<void> {
    this.#handle ??= open(this.#file, 'a')
    await (await this.#handle).appendFile(files.map((file) => `${JSON.stringify(file)}\n`).join(''))
  }

  async close(): Promise<void> {
    await (await this.#handle)?.close()
    this.#handle = null
  }

  async remove(): Promise<void> {
    await this.close()
    await rm(this.#file, { force: true })
  }
}

/** Whether a file on disk still has the published content. */
export async function isIntact(file: string, { sha256 }: PublishedAnswer): Promise<boolean> {
  const content = await readFile(file).catch(() => null)
  return content !== null && createHash('sha256').update(content).digest('hex') === sha256
}

/** The last line of a run that was killed may be cut off; it is ignored. */
function parseLine(line: string): readonly PublishedAnswer[] {
  const { data } = entry.safeParse(jsonIn(line))
  return data === undefined ? [] : [data]
}
