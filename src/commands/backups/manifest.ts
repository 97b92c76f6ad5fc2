import { z } from 'zod'

/** Raised if an older program could not read the new format. */
export const FORMAT = 1

const count = z.int().nonnegative()
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
/** Names become paths, so only harmless characters are allowed. */
const fileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,255}$/)
const identifier = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/)

const part = z.object({ name: z.string(), bytes: count, sha256 })

const column = z.object({
  name: identifier,
  kind: z.enum(['integer', 'text', 'bytes']),
  nullable: z.boolean(),
})

const table = z.object({
  name: identifier,
  columns: z.array(column).min(1),
  rows: count,
  /** The highest id that was ever assigned. */
  lastId: count.nullable(),
  part,
})

const release = z.object({
  version: fileName,
  graphFile: fileName,
  manifest: part,
  graph: part,
})

/** The file `manifest.json` of a backup. */
export const backupManifest = z.object({
  format: z.literal(FORMAT),
  /** The version of the program that made it. */
  program: z.string(),
  /** The time of the snapshot of its database. */
  takenAt: z.iso.datetime(),
  database: z.object({
    dialect: z.enum(['sqlite', 'postgres']),
    migrations: z.array(z.string()),
    tables: z.array(table),
  }),
  ontology: z.object({
    active: fileName.nullable(),
    history: z.string().nullable(),
    releases: z.array(release),
    leftOut: z.array(z.object({ version: z.string(), reason: z.string() })),
  }),
  /** Files that were accepted and waited to be imported. */
  imports: z.array(z.object({ file: fileName, part })),
  key: z.object({ kind: z.enum(['none', 'plain', 'encrypted']), part: part.nullable() }),
})

export type BackupManifest = z.infer<typeof backupManifest>
export type BackupPart = z.infer<typeof part>
export type BackupTable = z.infer<typeof table>
export type BackupRelease = z.infer<typeof release>
