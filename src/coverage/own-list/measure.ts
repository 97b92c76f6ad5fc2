import type { ListCoverage, ListSelection } from '../../contracts/list-coverage.ts'
import type { OntologyReleases } from '../../contracts/sources.ts'
import { nextTurn } from '../../platform/concurrency/turns.ts'
import type { Landscape } from '../landscape.ts'
import { linkingReleases } from '../linking.ts'
import { linkSources, linksTo, relevantTechniques } from './guidance.ts'
import { shapeListReport } from './report.ts'
import { resolveList } from './resolve.ts'

/** Measures a list against a release of the ontology and the guidance that is loaded. */
export async function measureList(
  landscape: Landscape,
  question: ListSelection,
  stored: OntologyReleases,
): Promise<ListCoverage> {
  const { domains, findCitingSources } = question
  const options = { landscape, domains }
  const list = await resolveList(question.list, options)
  const against = question.against && (await resolveList(question.against, options))
  const links = linksTo(landscape, relevantTechniques(landscape, list))
  const linking = { landscape, list, links }
  const newest = await linkSources(await findCitingSources(new Set(links.keys())), linking)
  const named = question.named && (await linkSources(question.named, linking))
  await nextTurn()
  const others = landscape.links.size > 0 ? [] : await linkingReleases(stored, landscape.release.version)
  return shapeListReport({ landscape, list, against, named, newest, others })
}
