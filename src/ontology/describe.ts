import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { OntologyLookup } from '../contracts/lookup.ts'
import type { ReleaseAdministration, ReleaseChange } from '../contracts/releases.ts'
import type { OntologyControls, OntologyRelations, OntologyReleases, ReleaseSources } from '../contracts/sources.ts'
import { activateRelease, removeRelease, rollbackRelease } from './administration/administer.ts'
import type { OntologyService } from './service.ts'

/** Unless another limit is given. To learn whether there are more ways, ask for one more. */
const MOST_WAYS = 1000

const unpack = promisify(gunzip)

/** The release that is active when asked, for the services that search it and link to it. */
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
    defenses: async (subjects, limit = MOST_WAYS) => (await service.release(null)).defenses(subjects, limit),
    lookUp: async (names) => (await service.release(null)).lookUp(names),
    nearest: async (names) => (await service.release(null)).nearest(names),
    whole: async (path, version) => {
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
    counters: async (techniques, limit = MOST_WAYS) => (await service.release(version)).counters(techniques, limit),
  }
}

function administrationOf(service: OntologyService): ReleaseAdministration {
  const { folder } = service
  const followed = async (change: ReleaseChange) => {
    await service.follow()
    return { ...change, served: service.current?.manifest.version === change.to }
  }
  return {
    activate: async (version, before) => followed(await activateRelease(folder, version, before)),
    rollback: async (before) => followed(await rollbackRelease(folder, before)),
    remove: (version, before) => removeRelease(folder, version, before),
  }
}
