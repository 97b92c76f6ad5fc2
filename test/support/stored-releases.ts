import type { OntologyReleases } from '../../src/contracts/sources.ts'

/** Stored releases of a service that has the active release alone. */
export const noneStored: OntologyReleases = {
  at: (version) => {
    throw new Error(`There is no release ${version}`)
  },
  versions: () => Promise.resolve([]),
}
