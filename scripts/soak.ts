// Loads a service, kills it repeatedly, and checks all acknowledged changes: npm run soak -- --minutes 10
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { reportOf } from '../test/soak/report.ts'
import { soak } from '../test/soak/soak.ts'
import { freePort } from '../test/support/free-port.ts'

const USAGE = `Usage: npm run soak -- --minutes N [options]

  --minutes N                 how long there is load; parts of minutes are allowed
  --out FILE                  where the report is written (default: soak.html)
  --processes N               as SERVICE_PROCESSES (default: 1)
  --postgres URL              an empty database; default: SQLite
  --restart-database COMMAND  restarts its server; else it is left alone`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    out: { type: 'string', default: 'soak.html' },
    processes: { type: 'string', default: '1' },
    postgres: { type: 'string' },
    'restart-database': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(`${USAGE}\n`)
else await run()

async function run(): Promise<void> {
  const seconds = Number(values.minutes) * 60
  if (!(seconds > 0)) throw new Error(USAGE)
  const folder = await mkdtemp(join(tmpdir(), 'parapet-soak-'))
  const soaked = await soak({
    program: resolve('dist/main.js'),
    folder,
    seconds,
    port: await freePort(),
    processes: Number(values.processes),
    databaseUrl: values.postgres ?? null,
    restartDatabase: values['restart-database'] ?? null,
  })
  await writeFile(values.out, reportOf(soaked))
  const { acknowledged, findings } = soaked
  process.stdout.write(`${values.out}: ${acknowledged} acknowledged, ${findings.length} lost.\n`)
  if (findings.length > 0) process.stdout.write(`The ledger and the log are in ${folder}.\n`)
  else await rm(folder, { recursive: true, force: true })
  process.exitCode = findings.length === 0 && acknowledged > 0 ? 0 : 1
}
