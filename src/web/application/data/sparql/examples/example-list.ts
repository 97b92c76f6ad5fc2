import attacksWithoutCounter from './attacks-without-a-counter.rq?raw'
import ccisWithoutTechnique from './ccis-without-a-technique.rq?raw'
import countersAsRdf from './counters-as-rdf.rq?raw'
import { readExample } from './examples.ts'
import rulesThatCounter from './rules-that-counter-an-attack.rq?raw'
import sameRequirement from './same-requirement.rq?raw'
import techniquesByBenchmark from './techniques-by-benchmark.rq?raw'
import techniquesByTactic from './techniques-by-tactic.rq?raw'
import techniquesOfControls from './techniques-of-controls.rq?raw'
import weakness from './weakness.rq?raw'
import whatCounters from './what-counters-an-attack.rq?raw'

/** The examples of docs/sparql.md, the simplest first. */
export const EXAMPLES = [
  techniquesByTactic,
  whatCounters,
  rulesThatCounter,
  attacksWithoutCounter,
  weakness,
  techniquesOfControls,
  techniquesByBenchmark,
  ccisWithoutTechnique,
  sameRequirement,
  countersAsRdf,
].map(readExample)
