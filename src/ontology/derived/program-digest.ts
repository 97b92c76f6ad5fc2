import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROGRAM_FOLDER = fileURLToPath(new URL('../../', import.meta.url))
/** Folders that the ontology may import: with the libraries, their code determines its answers. */
const FOLDERS = ['ontology', 'graph', 'http', 'platform', 'contracts']
/** A build bundles the modules of all folders into a few files. The queries keep their places. */
const BUILT = 'programs'
const LIBRARIES = fileURLToPath(new URL('../../../package.json', import.meta.url))
const CODE = /\.(?:js|ts|rq|ru)$/

let cachedDigest: Promise<string> | null = null

/** A digest that changes whenever the program may give other answers for the same release. */
export function programDigest(): Promise<string> {
  cachedDigest ??= digestOf(PROGRAM_FOLDER, LIBRARIES)
  return cachedDigest
}

/** Digest of the code below a folder, and of the file that names the libraries. */
export async function digestOf(home: string, libraries: string): Promise<string> {
  const hash = createHash('sha256').update(await readFile(libraries))
  const folders = existsSync(join(home, BUILT)) ? [BUILT, 'ontology'] : FOLDERS
  for (const folder of folders) {
    const names = await readdir(join(home, folder), { recursive: true })
    for (const name of names.filter((file) => CODE.test(file)).sort())
      hash.update(`\0${folder}/${name}\0`).update(await readFile(join(home, folder, name)))
  }
  return hash.digest('hex')
}
