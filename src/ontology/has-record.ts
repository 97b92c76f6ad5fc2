import { Refusal, REFUSALS } from '../platform/errors.ts'
import type { OntologyService } from './service.ts'

const SERVER_FAULTS = 500

/**
 * Whether a path below `/api/` has an answer, in a release that is named or in the active one. Where that cannot be found
 * out now, it may have. The answer is asked for next, and then it is there.
 */
export async function hasRecord(service: OntologyService, path: string, version: string | null): Promise<boolean> {
  try {
    const release = await service.release(version)
    await release.answer(path, 'br')
    return true
  } catch (error) {
    return !(error instanceof Refusal && REFUSALS[error.code].status < SERVER_FAULTS)
  }
}
