import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const manifestForm = z.object({
  version: z.string(),
  ontology_hash_sha256: z.string(),
  site: z.array(z.string()),
  files: z.record(z.string(), z.object({ bytes: z.int(), sha256: z.string(), file: z.string().optional() })),
})

export type TreeManifest = z.infer<typeof manifestForm>

export async function manifestIn(tree: string): Promise<TreeManifest> {
  return manifestForm.parse(JSON.parse(await readFile(join(tree, 'manifest.json'), 'utf8')))
}

/** The path of the file that answers an address. */
export function fileOf(tree: string, files: TreeManifest['files'], url: string): string {
  return join(tree, files[url]?.file ?? decodeURIComponent(url))
}

/** SHA-256 (hex). */
export function digest(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
