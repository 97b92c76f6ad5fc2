import type { ListCoverage, ListSelection } from '../../contracts/list-coverage.ts'
import type { OntologyReleases } from '../../contracts/sources.ts'
import { nextTurn } from '../../platform/concurrency/turns.ts'
import { linkingReleases } from '../linking.ts'
import type { OntologyPaths } from '../ontology-paths.ts'
import { linkSources, linksTo, relevantTechniques } from './guidance.ts'
import { shapeListReport } from './report.ts'
import { resolveList } from './resolve.ts'

/** Measures a list against a release of the ontology and the guidance that is loaded. */
export async function measureList(
  paths: OntologyPaths,
  question: ListSelection,
  stored: OntologyReleases,
): Promise<ListCoverage> {
  const { domains, findCitingSources } = question
  const options = { paths, domains }
  const list = await resolveList(question.list, options)
  const against = question.against && (await resolveList(question.against, options))
  const links = linksTo(paths, relevantTechniques(paths, list))
  const linking = { paths, list, links }
  const newest = await linkSources(await findCitingSources(new Set(links.keys())), linking)
  const named = question.named && (await linkSources(question.named, linking))
  await nextTurn()
  const others = paths.links.size > 0 ? [] : await linkingReleases(stored, paths.release.version)
  return shapeListReport({ paths, list, against, named, newest, others })
}
