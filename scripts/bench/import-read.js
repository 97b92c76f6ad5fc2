// Reads a benchmark several times with one reader; prints the rules and the milliseconds of each.
// node import-read.js ours|inspec-objects MODULE FILE TIMES
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { performance } from 'node:perf_hooks'

const [reader, module, file, times] = process.argv.slice(2)

/** As the service reads a file. */
function* pieces(bytes) {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

const READERS = {
  ours: async () => {
    const { readBenchmarks } = await import(module)
    return (bytes) => readBenchmarks(() => pieces(bytes), {}).flatMap(({ benchmark }) => benchmark.rules).length
  },
  'inspec-objects': () => {
    const { processXCCDF } = createRequire(import.meta.url)(module)
    return (bytes) => processXCCDF(bytes.toString('utf8'), false, 'rule').controls.length
  },
}

const read = await READERS[reader]()
const bytes = readFileSync(file)
const took = []
let rules = 0
for (let time = 0; time < Number(times); time += 1) {
  const begin = performance.now()
  rules = read(bytes)
  took.push(performance.now() - begin)
}
// The last line: the peer may have said something before.
console.log(`\n${JSON.stringify({ rules, took })}`)
