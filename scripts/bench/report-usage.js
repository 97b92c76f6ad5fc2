// Loaded before a command (node --import): leaves its peak memory in the file named by BENCH_USAGE.
import { writeFileSync } from 'node:fs'

process.on('exit', () => {
  const { maxRSS } = process.resourceUsage()
  writeFileSync(process.env.BENCH_USAGE ?? '/dev/null', `Maximum resident set size (kbytes): ${maxRSS}\n`)
})
