import type { z } from 'zod'
import type { Reader } from '../../database/transaction.ts'
import { findBenchmark, findWarnings } from '../benchmarks/reader.ts'
import type { ReleaseOfProduct } from './find.ts'
import type { releaseDetailSchema } from './schemas.ts'
import { shapeWhole } from './shape.ts'

/** A release with all its rules. */
export async function readWhole(reader: Reader, found: ReleaseOfProduct): Promise<z.infer<typeof releaseDetailSchema>> {
  const { id } = found.release
  return shapeWhole({
    ...found,
    benchmark: await findBenchmark(reader, id),
    warnings: await findWarnings(reader, id),
  })
}
