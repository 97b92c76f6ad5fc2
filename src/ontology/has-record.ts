import { Refusal, REFUSALS } from '../platform/errors.ts'
import type { OntologyService } from './service.ts'

const SERVER_FAULTS = 500

/**
 * Whether a path below `/api/` has an answer, in a named release or in the active one. True also if that is unknown
 * because of a fault of the server. The answer is cached, because the caller requests it next.
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
