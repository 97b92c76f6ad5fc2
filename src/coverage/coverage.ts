import type { Coverage, CoverageSelection } from '../contracts/coverage.ts'
import type { ListCoverage, ListCoverageReports, ListSelection } from '../contracts/list-coverage.ts'
import type { OntologyRelations, OntologyReleases } from '../contracts/sources.ts'
import { inTurns, nextTurn } from '../platform/concurrency/turns.ts'
import { attackLayer, defenseLayer } from './layers.ts'
import { measure, type Measurement } from './measure.ts'
import { findOntologyPaths, limitTo, onlyRelations, type OntologyPaths } from './ontology-paths.ts'
import { linkSources, linksTo, relevantTechniques } from './own-list/guidance.ts'
import { shapeListReport } from './own-list/report.ts'
import { resolveList } from './own-list/resolve.ts'
import { shapeReport } from './report.ts'
import { pathsOf } from './table.ts'

/** Limit of the releases that are checked, the newest first, because each has to be opened. */
const MAX_RELEASES = 10

const newestFirst = new Intl.Collator('en', { numeric: true })

/** Caches by digest if a release links a CCI to a technique: a release never changes. */
const linksCcisByDigest = new Map<string, boolean>()

/** Measures coverage against the requested release of the ontology, or else the active one. */
export function coverageIn(ontology: OntologyRelations, stored: OntologyReleases): Coverage & ListCoverageReports {
  const pathsIn = (release: string | null) => findOntologyPaths(release === null ? ontology : stored.at(release))
  const measured = async ({ sources, release, domains, relations }: CoverageSelection): Promise<Measurement> => {
    const paths = await pathsIn(release)
    await nextTurn()
    return measure(onlyRelations(limitTo(paths, domains), relations), sources)
  }
  return {
    report: async (question) => {
      const measurement = await measured(question)
      const { against } = question
      const { links, release } = measurement.paths
      const others = links.size > 0 ? [] : await linkingReleases(stored, release.version)
      return shapeReport(measurement, { against: against && measure(measurement.paths, against), others })
    },
    table: async (question) => inTurns(pathsOf(await measured(question))),
    attackLayer: async (question, domain) => attackLayer(await measured({ ...question, domains: [domain] }), domain),
    defenseLayer: async (question) => defenseLayer(await measured(question)),
    reportOnList: async (question) => measureList(await pathsIn(question.release), question, stored),
  }
}

/** Measures a list against a release of the ontology and the guidance that is loaded. */
async function measureList(
  paths: OntologyPaths,
  question: ListSelection,
  stored: OntologyReleases,
): Promise<ListCoverage> {
  const { domains, findCitingSources } = question
  const options = { paths, domains }
  const list = await resolveList(question.list, options)
  const against = question.against && (await resolveList(question.against, options))
  const links = linksTo(paths, relevantTechniques(paths, list))
  const linkOptions = { paths, list, links }
  const newest = await linkSources(await findCitingSources(new Set(links.keys())), linkOptions)
  const namedSources = question.named && (await linkSources(question.named, linkOptions))
  await nextTurn()
  const others = paths.links.size > 0 ? [] : await linkingReleases(stored, paths.release.version)
  return shapeListReport({ paths, list, against, named: namedSources, newest, others })
}

/** The stored releases that link CCIs to techniques, except one, the newest first. */
async function linkingReleases(releases: OntologyReleases, except: string): Promise<readonly string[]> {
  const versions = (await releases.versions()).filter((version) => version !== except)
  const linking: string[] = []
  for (const version of versions.sort((a, b) => newestFirst.compare(b, a)).slice(0, MAX_RELEASES))
    if (await linksCcis(releases, version)) linking.push(version)
  return linking
}

/** False if it cannot be opened, because then it cannot be chosen either. */
async function linksCcis(releases: OntologyReleases, version: string): Promise<boolean> {
  try {
    const { digest, links } = await releases.at(version).content()
    const isLinking = linksCcisByDigest.get(digest) ?? links.some(({ kind }) => kind === 'cci')
    linksCcisByDigest.set(digest, isLinking)
    return isLinking
  } catch {
    return false
  }
}
