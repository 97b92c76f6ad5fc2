import type { OntologyService } from '../service.ts'
import type { ControlAssertions } from './controls.ts'

/** The controls of whatever release is active when asked. */
export interface ControlSource {
  /** The active release; null before the first. */
  current(): { readonly version: string; readonly digest: string } | null
  /** Of the active release; rejects with `no_release` where there is none. */
  controls(): Promise<ControlAssertions>
}

/** The service as a source of controls, for siblings that link to techniques. */
export function describeControls(service: OntologyService): ControlSource {
  return {
    current: () => {
      const manifest = service.current?.manifest
      return manifest === undefined ? null : { version: manifest.version, digest: manifest.sha256 }
    },
    controls: async () => (await service.release(null)).controls(),
  }
}
