import { readdir, realpath } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { isFolder } from '../platform/files/file-kinds.ts'

export interface ImportableFile {
  readonly path: string
  /** Whether it was found in a named folder, and not named itself. */
  readonly isFound: boolean
}

export interface Importable {
  readonly files: readonly ImportableFile[]
  /** Number of other files in the folders, by their endings. */
  readonly others: ReadonlyMap<string, number>
  /** Folders without any file that could be imported. */
  readonly empty: readonly string[]
}

/** Endings of files that are imported; other files of a package are pictures, stylesheets and manuals. */
const ENDINGS = new Set(['.xml', '.zip', '.ckl', '.cklb', '.arf'])

/**
 * The named files, and all importable files in and below the named folders, in the order of their names. Each folder is
 * read once, even if several links lead to it.
 */
export async function findImportable(paths: readonly string[]): Promise<Importable> {
  const search = new FileSearch()
  const empty: string[] = []
  for (const path of paths) {
    if (!(await isFolder(path))) {
      search.files.push({ path, isFound: false })
      continue
    }
    const before = search.files.length
    await search.walk(path)
    if (search.files.length === before) empty.push(path)
  }
  return { files: search.files, others: search.others, empty }
}

class FileSearch {
  readonly files: ImportableFile[] = []
  readonly others = new Map<string, number>()
  readonly #seen = new Set<string>()

  async walk(folder: string): Promise<void> {
    const real = await realpath(folder)
    if (this.#seen.has(real)) return
    this.#seen.add(real)
    for (const name of (await readdir(folder)).sort()) {
      const path = join(folder, name)
      if (await isFolder(path)) await this.walk(path)
      else this.#add(path)
    }
  }

  #add(path: string): void {
    const ending = extname(path).toLowerCase()
    if (ENDINGS.has(ending)) this.files.push({ path, isFound: true })
    else this.others.set(ending, (this.others.get(ending) ?? 0) + 1)
  }
}
