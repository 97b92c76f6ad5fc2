import type { Coverage, CoverageQuestion } from '../contracts/coverage.ts'
import type { OntologyRelations } from '../contracts/sources.ts'
import { nextTurn } from '../platform/turns.ts'
import { landscapeOf } from './landscape.ts'
import { attackLayer, defenseLayer } from './layers.ts'
import { measure, type Measurement } from './measure.ts'
import { shapeReport } from './report.ts'
import { pathsOf } from './table.ts'

/** What guidance counters, by the release of the ontology that is active when asked. */
export function coverageIn(ontology: OntologyRelations): Coverage {
  const measured = async ({ sources }: Pick<CoverageQuestion, 'sources'>): Promise<Measurement> => {
    const landscape = await landscapeOf(ontology)
    await nextTurn()
    return measure(landscape, sources)
  }
  return {
    report: async (question) => {
      const own = await measured(question)
      const { against } = question
      return shapeReport(own, against && measure(own.landscape, against))
    },
    table: async (question) => inTurns(pathsOf(await measured(question))),
    attackLayer: async (question) => attackLayer(await measured(question)),
    defenseLayer: async (question) => defenseLayer(await measured(question)),
  }
}

/** Others are answered in between. */
async function* inTurns<T>(pieces: Iterable<T>): AsyncGenerator<T, void> {
  for (const piece of pieces) {
    yield piece
    await nextTurn()
  }
}
