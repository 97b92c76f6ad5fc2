import type { Coverage, CoverageSelection } from '../contracts/coverage.ts'
import type { ListMeasure } from '../contracts/list-coverage.ts'
import type { OntologyRelations, OntologyReleases } from '../contracts/sources.ts'
import { nextTurn } from '../platform/concurrency/turns.ts'
import { landscapeOf, limitTo } from './landscape.ts'
import { attackLayer, defenseLayer } from './layers.ts'
import { linkingReleases } from './linking.ts'
import { measure, type Measurement } from './measure.ts'
import { measureList } from './own-list/measure.ts'
import { shapeReport } from './report.ts'
import { pathsOf } from './table.ts'

/** Measures coverage against the requested release of the ontology, or else the active one. */
export function coverageIn(ontology: OntologyRelations, stored: OntologyReleases): Coverage & ListMeasure {
  const landscapeIn = (release: string | null) => landscapeOf(release === null ? ontology : stored.at(release))
  const measured = async ({ sources, release, domains }: CoverageSelection): Promise<Measurement> => {
    const landscape = await landscapeIn(release)
    await nextTurn()
    return measure(limitTo(landscape, domains), sources)
  }
  return {
    report: async (question) => {
      const own = await measured(question)
      const { against } = question
      const { links, release } = own.landscape
      const others = links.size > 0 ? [] : await linkingReleases(stored, release.version)
      return shapeReport(own, { against: against && measure(own.landscape, against), others })
    },
    table: async (question) => inTurns(pathsOf(await measured(question))),
    attackLayer: async (question, domain) => attackLayer(await measured({ ...question, domains: [domain] }), domain),
    defenseLayer: async (question) => defenseLayer(await measured(question)),
    list: async (question) => measureList(await landscapeIn(question.release), question, stored),
  }
}

/** Others are answered in between. */
async function* inTurns<T>(pieces: Iterable<T>): AsyncGenerator<T, void> {
  for (const piece of pieces) {
    yield piece
    await nextTurn()
  }
}
