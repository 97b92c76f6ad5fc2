import type { Coverage, CoverageSelection } from '../contracts/coverage.ts'
import type { ListCoverageReports } from '../contracts/list-coverage.ts'
import type { OntologyRelations, OntologyReleases } from '../contracts/sources.ts'
import { inTurns, nextTurn } from '../platform/concurrency/turns.ts'
import { attackLayer, defenseLayer } from './layers.ts'
import { linkingReleases } from './linking.ts'
import { measure, type Measurement } from './measure.ts'
import { findOntologyPaths, limitTo, onlyRelations } from './ontology-paths.ts'
import { measureList } from './own-list/measure.ts'
import { shapeReport } from './report.ts'
import { pathsOf } from './table.ts'

/** Measures coverage against the requested release of the ontology, or else the active one. */
export function coverageIn(ontology: OntologyRelations, stored: OntologyReleases): Coverage & ListCoverageReports {
  const landscapeIn = (release: string | null) => findOntologyPaths(release === null ? ontology : stored.at(release))
  const measured = async ({ sources, release, domains, relations }: CoverageSelection): Promise<Measurement> => {
    const paths = await landscapeIn(release)
    await nextTurn()
    return measure(onlyRelations(limitTo(paths, domains), relations), sources)
  }
  return {
    report: async (question) => {
      const own = await measured(question)
      const { against } = question
      const { links, release } = own.paths
      const others = links.size > 0 ? [] : await linkingReleases(stored, release.version)
      return shapeReport(own, { against: against && measure(own.paths, against), others })
    },
    table: async (question) => inTurns(pathsOf(await measured(question))),
    attackLayer: async (question, domain) => attackLayer(await measured({ ...question, domains: [domain] }), domain),
    defenseLayer: async (question) => defenseLayer(await measured(question)),
    reportOnList: async (question) => measureList(await landscapeIn(question.release), question, stored),
  }
}
