import type { OntologyReleases } from '../../src/contracts/sources.ts'

/** Stored releases of a service that has only the active release. */
export const noneStored: OntologyReleases = {
  at: (version) => {
    throw new Error(`There is no release ${version}`)
  },
  versions: () => Promise.resolve([]),
}
