// Plants the mistakes of planted-faults.txt, one at a time, in a copy of the working tree, runs the tests that are
// named for each, and says which were caught. What stands in the list is refused where its lines are not there
// exactly once, or no test is called so. With PARAPET_TEST_DEEP=1 the tests are those of a deep run.
//
//     node scripts/planted-faults.js [--only NAME…] [--list] [--wide] [--trust]
//
//   --list   plants nothing, but says what would be where
//   --wide   what survives has to survive all tests that import the file, too
//   --trust  does not run the tests without any fault first
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { clearTimeout, setTimeout } from 'node:timers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const LIST = fileURLToPath(new URL('./planted-faults.txt', import.meta.url))
const NOT_COPIED = new Set(['.git', 'coverage', 'dist', 'node_modules', 'var'])
const POSTGRES = process.env['PARAPET_TEST_POSTGRES']
/** Limit of one run: a longer one hangs. */
const NAMED_MS = 20 * 60_000
const WIDE_MS = 120 * 60_000

const { values, positionals } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    list: { type: 'boolean', default: false },
    wide: { type: 'boolean', default: false },
    trust: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const faults = chosen(readFaults(), [...values.only, ...positionals])
const copy = copyOfTree()
try {
  process.exitCode = await plantAll(faults)
} finally {
  fs.rmSync(copy, { recursive: true, force: true })
}

/** Exit status: 1 where any fault could not be tried. */
async function plantAll(all) {
  const sources = readSources()
  const placed = all.map((fault) => ({ ...fault, ...testsOf(fault), ...placeOf(fault, sources) }))
  const ready = placed.filter(({ refusal }) => refusal === undefined)
  if (!values.list && !values.trust) await requireGreen(ready)
  const results = []
  for (const fault of placed) {
    const outcome = fault.refusal === undefined ? await plant(fault) : ['refused', fault.refusal]
    console.error(`${results.length + 1}/${placed.length} ${fault.name}: ${outcome.join(', ')}`)
    results.push([fault.name, ...outcome])
  }
  return report(results)
}

function report(results) {
  const width = Math.max(...results.map(([name]) => name.length))
  for (const [name, outcome, why] of results) console.log(`${name.padEnd(width)}  ${outcome.padEnd(8)}  ${why}`)
  const count = (wanted) => results.filter(([, outcome]) => outcome === wanted).length
  const [caught, refused] = [count('caught'), count('refused')]
  const done = values.list ? 'there' : `planted, ${caught} caught`
  console.log(`\n${results.length - refused} ${done}${refused > 0 ? `; ${refused} refused` : ''}`)
  return refused === 0 ? 0 : 1
}

/** Blocks of lines between blank ones; the first block says what it is all about. */
function readFaults() {
  const [, ...blocks] = fs.readFileSync(LIST, 'utf8').trim().split(/\n\n+/)
  return blocks.map((block) => {
    const [name, ...lines] = block.split('\n')
    const after = (...marks) =>
      lines.flatMap((line) => {
        const mark = marks.find((one) => line.startsWith(one))
        return mark === undefined ? [] : [line.slice(mark.length).trim()]
      })
    const [on = 'sqlite'] = after('on:')
    const parts = after('tests:').join(' ').split(' ')
    return { name, on, parts, old: after('-', ' '), planted: after('+', ' ') }
  })
}

function chosen(all, names) {
  const unknown = names.filter((name) => !all.some((fault) => fault.name === name))
  if (unknown.length > 0) throw new Error(`There is no fault ${unknown.join(', ')}`)
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name))
}

function copyOfTree() {
  const folder = fs.mkdtempSync(join(tmpdir(), 'planted-faults-'))
  const names = fs.readdirSync(ROOT).filter((name) => !NOT_COPIED.has(name))
  execFileSync('cp', ['-R', ...names, folder], { cwd: ROOT })
  fs.symlinkSync(resolve(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

function filesBelow(folder, kind) {
  const names = fs.readdirSync(join(copy, folder), { recursive: true })
  return names.filter((name) => kind.test(name)).map((name) => join(folder, name))
}

/** In which file the lines stand, and from which line on. */
function placeOf({ old }, sources) {
  const places = sources.flatMap(({ path, lines }) => {
    const isHere = (_, from) => old.every((text, at) => lines[from + at]?.trim() === text)
    return lines.map((_, from) => ({ path, from })).filter(isHere)
  })
  if (places.length === 1) return places[0]
  return { refusal: `its lines are in ${places.length} places` }
}

function readSources() {
  return filesBelow('src', /\.ts$/).map((path) => {
    return { path, lines: fs.readFileSync(join(copy, path), 'utf8').split('\n') }
  })
}

function testsOf({ parts, on }) {
  if (on === 'postgres' && POSTGRES === undefined) return { refusal: 'PARAPET_TEST_POSTGRES names no server' }
  const all = filesBelow('test', /\.test\.ts$/)
  const found = parts.map((part) => all.filter((path) => isCalled(path, part.split('/'))))
  const missing = parts.filter((_, at) => found[at]?.length === 0)
  if (missing.length > 0) return { refusal: `there are no tests ${missing.join(', ')}` }
  return { tests: [...new Set(found.flat())] }
}

/** Folders may have come between. */
function isCalled(path, names) {
  const file = names.at(-1)
  const folders = path.split('/')
  if (!folders.pop().startsWith(file)) return false
  for (const name of names.slice(0, -1)) {
    const at = folders.findIndex((folder) => folder.startsWith(name))
    if (at === -1) return false
    folders.splice(0, at + 1)
  }
  return true
}

/** Tests that fail anyway would seem to catch whatever is planted. */
async function requireGreen(ready) {
  for (const on of new Set(ready.map((fault) => fault.on))) {
    const tests = new Set(ready.filter((fault) => fault.on === on).flatMap((fault) => fault.tests))
    console.error(`${tests.size} test files without any fault (${on})`)
    const { failed } = await vitest(on, ['run', ...tests], WIDE_MS)
    if (failed !== null) throw new Error(`Without any fault: ${failed}`)
  }
}

async function plant({ path, from, old, planted, tests, on }) {
  if (values.list) return ['there', `${path}:${from + 1}, ${tests.join(' ')}`]
  const file = join(copy, path)
  const whole = fs.readFileSync(file, 'utf8')
  const lines = whole.split('\n')
  lines.splice(from, old.length, ...planted)
  fs.writeFileSync(file, lines.join('\n'))
  try {
    const named = await vitest(on, ['run', ...tests, '--bail=1'], NAMED_MS)
    if (named.failed !== null) return ['caught', named.failed]
    if (named.total === 0 && !values.wide) return ['survived', 'none of its tests runs']
    if (!values.wide) return ['survived', tests.join(' ')]
    const wide = await vitest(on, ['related', path, '--run', '--bail=1'], WIDE_MS)
    return wide.failed === null ? ['survived', `${wide.total} tests`] : ['caught', wide.failed]
  } finally {
    fs.writeFileSync(file, whole)
  }
}

/** How many tests there were, and the first thing that went wrong; null: nothing. */
async function vitest(on, args, ms) {
  const output = join(copy, 'planted-faults.json')
  fs.rmSync(output, { force: true })
  const isPostgres = on === 'postgres'
  // The tests look for the corpus beside the repository, where the copy has none.
  const corpus = resolve(ROOT, process.env['PARAPET_CORPUS'] ?? '../shared/corpus')
  const env = { ...process.env, PARAPET_CORPUS: corpus }
  if (!isPostgres) delete env['PARAPET_TEST_POSTGRES']
  const options = [
    '--maxWorkers=1',
    '--passWithNoTests',
    '--reporter=json',
    `--outputFile=${output}`,
    // On a busy machine a test may fail by chance, but hardly twice.
    '--retry=1',
    // Most of a run would be to read the same modules once more.
    '--experimental.fsModuleCache',
    `--experimental.fsModuleCachePath=${join(copy, '.read')}`,
    ...(isPostgres ? ['--project=postgres'] : []),
  ]
  const program = join(copy, 'node_modules/vitest/vitest.mjs')
  // A group of its own, to end the workers with it.
  const settings = { cwd: copy, env, stdio: 'ignore', detached: true }
  const child = spawn(process.execPath, [program, ...args, ...options], settings)
  let late = false
  const timer = setTimeout(() => {
    late = true
    process.kill(-child.pid, 'SIGKILL')
  }, ms)
  const [status] = await once(child, 'exit')
  clearTimeout(timer)
  return late ? { total: 0, failed: 'the tests do not end' } : summaryOf(output, status)
}

function summaryOf(output, status) {
  if (!fs.existsSync(output)) return { total: 0, failed: 'the tests ended without a report' }
  const { numTotalTests: total, testResults } = JSON.parse(fs.readFileSync(output, 'utf8'))
  for (const { name, status: ofFile, message, assertionResults } of testResults) {
    const place = name.slice(copy.length + 1)
    const test = assertionResults.find((one) => one.status === 'failed')
    if (test !== undefined) return { total, failed: `${place}: ${test.fullName}` }
    if (ofFile === 'failed') return { total, failed: `${place}: ${message.split('\n')[0]}` }
  }
  return { total, failed: status === 0 ? null : 'an error beside the tests' }
}
