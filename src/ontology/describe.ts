import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { OntologyLookup } from '../contracts/lookup.ts'
import type { ReleaseAdministration, ReleaseChange } from '../contracts/releases.ts'
import type { OntologyControls, OntologyRelations, OntologyReleases, ReleaseSources } from '../contracts/sources.ts'
import { activateRelease, removeRelease, rollbackRelease } from './administration/administer.ts'
import type { OntologyService } from './service.ts'

/** Default limit. Callers that want to know whether there are more paths ask for one more. */
const MAX_PATHS = 1000

const unpack = promisify(gunzip)

/** Access of other services to the ontology. Each call uses the release that is active at that time. */
export function describeOntology(service: OntologyService): OntologyControls &
  OntologyRelations &
  OntologyLookup & {
    readonly releases: ReleaseAdministration
    readonly stored: OntologyReleases
  } {
  return {
    releases: administrationOf(service),
    stored: {
      at: (version) => sourcesOf(service, version),
      versions: () => service.folder.versions(),
    },
    current: () => {
      const manifest = service.current?.manifest
      return manifest === undefined ? null : { version: manifest.version, digest: manifest.sha256 }
    },
    opened: async () => {
      const manifest = (await service.opened())?.manifest
      return manifest === undefined ? null : { version: manifest.version, digest: manifest.sha256 }
    },
    ...sourcesOf(service, null),
    defenses: async (subjects, limit = MAX_PATHS) => (await service.release(null)).defenses(subjects, limit),
    lookUp: async (names) => (await service.release(null)).lookUp(names),
    findSimilarNames: async (names) => (await service.release(null)).nearest(names),
    readDocument: async (path, version) => {
      const release = await service.release(version)
      return unpack((await release.answer(decodeURIComponent(path), 'gzip')).body)
    },
  }
}

/** Describes a release by its version; null stands for the one that is active at the time. */
function sourcesOf(service: OntologyService, version: string | null): ReleaseSources {
  return {
    controls: async () => (await service.release(version)).controls(),
    content: async () => (await service.release(version)).content(),
    counters: async (techniques, limit = MAX_PATHS) => (await service.release(version)).counters(techniques, limit),
  }
}

function administrationOf(service: OntologyService): ReleaseAdministration {
  const { folder } = service
  const followChange = async (change: ReleaseChange) => {
    await service.follow()
    return { ...change, served: service.current?.manifest.version === change.to }
  }
  return {
    activate: async (version, before) => followChange(await activateRelease(folder, version, before)),
    rollback: async (before) => followChange(await rollbackRelease(folder, before)),
    remove: (version, before) => removeRelease(folder, version, before),
  }
}
