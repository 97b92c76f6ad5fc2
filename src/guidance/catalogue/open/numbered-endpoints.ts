import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams, NO_INPUT } from '../../../http/input.ts'
import type { Parts } from '../../parts/parts.ts'
import { CATALOGUES, type Catalogue } from '../benchmarks/catalogues.ts'
import { readWhole } from './documents.ts'
import { findNumbered, findProducts } from './find.ts'
import { COMMON_PARTS } from './input.ts'
import { numberedListSchema, numberedReleaseSchema } from './schemas.ts'
import { shapeNewest, shapeRelease } from './shape.ts'

/** The catalogue for pages of this instance, by the numbers of releases. */
export function numberedEndpoints(parts: Parts): readonly Endpoint[] {
  return CATALOGUES.flatMap((catalogue) => [list(parts, catalogue), release(parts, catalogue)])
}

function list({ database }: Parts, { kind, path, name, label }: Catalogue): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: `/api/catalogue/${path}.json`,
    operation: `listCatalogue${name}s`,
    summary: `All releases of every ${label}, with their numbers on this instance`,
    input: NO_INPUT,
    answer: numberedListSchema,
    refusals: [],
    handle: async () => {
      const products = (await findProducts(database.read)).filter(({ newest }) => newest.kind === kind)
      const releases = products.flatMap(({ newest, releases }) =>
        releases.map((release) => ({
          ...shapeRelease(release),
          id: release.id,
          newest: { ...shapeNewest(newest), id: newest.id },
        })),
      )
      return { releases }
    },
  })
}

function release({ database: { read } }: Parts, { kind, path, name, label }: Catalogue): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: `/api/catalogue/${path}/{id}.json`,
    operation: `getCatalogue${name}`,
    summary: `A release of an ${label} by its number on this instance, which another import changes`,
    input: z.object({ params: idParams }),
    answer: numberedReleaseSchema,
    handle: async ({ input: { params } }) => {
      const release = await findNumbered(read, params.id, kind)
      const whole = await readWhole(read, release)
      return { ...whole, id: release.release.id, newest: { ...whole.newest, id: release.newest.id } }
    },
  })
}
