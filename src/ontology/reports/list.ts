import { z } from 'zod'
import { releaseFilePaths } from '../administration/public-manifest.ts'
import type { ReleaseList } from '../administration/releases.ts'

const listedRelease = z.object({
  version: z.string(),
  release_date: z.string(),
  sha256: z.string().meta({ description: 'SHA-256 of the canonical N-Quads; equal content has an equal digest' }),
  active: z.boolean().meta({ description: 'Whether it is served below /api/' }),
  ingested_at: z.string(),
  counts: z.object({
    statements: z.int(),
    subjects: z.int(),
    defensive_techniques: z.int(),
    offensive_techniques: z.int(),
    artifacts: z.int(),
    weaknesses: z.int(),
  }),
  manifest: z.string().meta({ description: 'Path of the manifest of the release' }),
  graph: z.string().meta({ description: 'Path of the canonical N-Quads' }),
})

export const releasesSchema = z.object({
  active: z.string().nullable().meta({ description: 'Version; null before the first ingest' }),
  previous: z.string().nullable().meta({ description: 'Version that a rollback would serve; null if there is none' }),
  damaged: z.array(z.string()).readonly().meta({
    description: 'Versions that cannot be served, because their manifest or graph is damaged',
  }),
  releases: z.array(listedRelease).readonly().meta({ description: 'The newest first' }),
})

/** The list as a document. */
export function formatList(list: ReleaseList): string {
  return `${JSON.stringify(shapeList(list), null, 1)}\n`
}

function shapeList({ releases, active, previous, damaged }: ReleaseList): z.output<typeof releasesSchema> {
  return {
    active: releases.some(({ version }) => version === active) ? active : null,
    previous,
    damaged,
    releases: releases.map((manifest) => {
      const { version, releaseDate, sha256, ingestedAt, counts } = manifest
      return {
        version,
        release_date: releaseDate,
        sha256,
        active: version === active,
        ingested_at: ingestedAt,
        counts: {
          statements: counts.statements,
          subjects: counts.subjects,
          defensive_techniques: counts.defensiveTechniques,
          offensive_techniques: counts.offensiveTechniques,
          artifacts: counts.artifacts,
          weaknesses: counts.weaknesses,
        },
        ...releaseFilePaths(manifest),
      }
    }),
  }
}
