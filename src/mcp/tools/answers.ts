import { z } from 'zod'
import { names, tool, type Tool } from './tool.ts'

const numbers = z.array(z.int().min(1)).max(100).optional()
const ids = z.array(z.string().max(500)).max(2000).optional()
const loose = z.looseObject({}).optional()

const list = {
  attacks: ids.meta({ description: 'Your list: ATT&CK, ATLAS or SPARTA ids' }),
  techniques: ids.meta({ description: 'Your list: D3FEND ids of deployed techniques' }),
  layer: loose.meta({ description: 'Your list as a layer of ATT&CK Navigator' }),
  bundle: loose.meta({ description: 'Your list as a STIX bundle' }),
  csv: z.string().max(500_000).optional().meta({ description: 'Your list as a table with a column of ids' }),
}

export const coverage: Tool = tool({
  name: 'coverage',
  title: 'Coverage of benchmarks, components or your own list',
  description:
    'Which techniques and attacks the rules of benchmarks or components are linked to, with the paths and the gaps; or, for ' +
    'a list of your own (attacks, techniques, layer, bundle, csv), what covers it, what nobody has mapped, and what each ' +
    'further benchmark would add. Components that are not released need a personal access token. It does not tell that ' +
    'an attack is prevented.',
  input: z.object({
    stig: names.meta({ description: 'RHEL_9_STIG, or RHEL_9_STIG/V2R7' }),
    srg: names,
    component: numbers,
    project: numbers,
    against_stig: names.meta({ description: 'Compare with these' }),
    against_srg: names,
    domain: z
      .array(z.enum(['enterprise-attack', 'mobile-attack', 'ics-attack', 'atlas', 'sparta']))
      .optional()
      .meta({ description: 'Only attacks of these domains' }),
    release: z
      .string()
      .max(200)
      .optional()
      .meta({ description: 'A release of the ontology other than the active one' }),
    ...list,
  }),
  answer: async (ask, given) => {
    const { stig, srg, component, project, against_stig, against_srg, domain, release, ...filters } = given
    const query = { stig, srg, component, project, domain, release }
    const hasList = Object.values(filters).some((part) => part !== undefined)
    if (hasList) return { main: await ask({ path: '/api/coverage', query, body: filters }) }
    return { main: await ask({ path: '/api/coverage.json', query: { ...query, against_stig, against_srg } }) }
  },
})

export const sparql: Tool = tool({
  name: 'sparql',
  title: 'SPARQL query',
  description:
    'Answers a SPARQL 1.1 query (SELECT or ASK) over the active release of the ontology and the named graphs of the ' +
    'catalogue. Prefix d3f: is <http://d3fend.mitre.org/ontologies/d3fend.owl#>. Use LIMIT.',
  input: z.object({ query: z.string().max(20_000) }),
  answer: async (ask, { query }) => {
    const [main, release] = await Promise.all([
      ask({ path: '/sparql', query: { query }, accept: 'application/sparql-results+json' }),
      ask({ path: '/api/version.json' }),
    ])
    return { main, others: { ontology_release: release } }
  },
})
