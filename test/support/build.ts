import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { transformSync } from 'rolldown/utils'
import { globSync } from 'tinyglobby'
import { build as buildPages } from 'vite'
import type { Plugin } from 'vitest/config'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The sources of programs and threads, and what those look for beside them. */
const PARTS = ['src', 'test/support', 'data', 'package.json']

/** Looks like the repository, in JavaScript. */
const HOME = join(ROOT, 'dist', 'test')

/** Where the built module of a source is: `src/main.ts`. */
export function builtModule(source: string): string {
  return join(HOME, source.replace(/(?<!\.d)\.ts$/, '.js'))
}

/** What tests start again and again as a process of its own. */
const PROGRAMS = [
  'src/main.ts',
  ...['admin', 'import', 'ingest', 'publish', 'reindex', 'sync'].map(
    (name) => `src/commands/${name}.ts`,
  ),
  'test/support/guidance-program.ts',
]

/** Threads are started as often as programs, and load as little. */
const THREAD = /^src\/.*-worker\.ts$/

const PROGRAM_HOME = join(HOME, 'programs')
/** There when they are of the modules as these are now. */
const DONE = join(PROGRAM_HOME, 'done')

/** Where a program is whose modules are few large files, which takes half the time to start. */
export function builtProgram(source: string): string {
  if (!PROGRAMS.includes(source)) throw new Error(`${source} is none of the programs`)
  return join(PROGRAM_HOME, source.replace(/\.ts$/, '.js'))
}

/** Where a source is itself: where a thread is looked for, there is only what leads to its large files. */
function ownModule(source: string): string {
  const module = builtModule(source)
  return THREAD.test(source) ? module.replace(/\.js$/, '.own.js') : module
}

function leadTo(thread: string): string {
  const home = relative(dirname(builtModule(thread)), PROGRAM_HOME)
  return `import './${home}/${thread.replace(/\.ts$/, '.js')}'\n`
}

/**
 * Before the tests: takes the types off the sources, which is all that a build does, so that processes
 * and threads of the tests start as they do in production. What has not changed stays as it is, because
 * other tests may be running on it.
 */
export async function build(): Promise<void> {
  const sources = filesOf(ROOT)
  for (const source of sources) {
    writeChanged(ownModule(source), contentOf(join(ROOT, source)))
    if (THREAD.test(source)) writeChanged(builtModule(source), Buffer.from(leadTo(source)))
  }
  const wanted = new Set(sources.flatMap((source) => [builtModule(source), ownModule(source)]))
  for (const file of filesOf(HOME)) if (!wanted.has(join(HOME, file))) rmSync(join(HOME, file))
  if (!existsSync(DONE)) await buildPrograms(sources.filter((source) => THREAD.test(source)))
  await buildApplication()
}

/** What the build of the pages takes. */
const APPLICATION = [
  ...['src/web/application/**', 'src/web/paths/**', 'src/wording/**'],
  ...['vite.config.ts', 'scripts/page-files.ts', 'package.json'],
]
const BUILT_PAGES = join(HOME, 'src/web/built')

/** The pages as people get them, unless they are of the sources as these are now. */
async function buildApplication(): Promise<void> {
  const index = join(BUILT_PAGES, 'index.html')
  const times = globSync(APPLICATION, { cwd: ROOT }).map(
    (file) => statSync(join(ROOT, file)).mtimeMs,
  )
  if (existsSync(index) && statSync(index).mtimeMs > Math.max(...times)) return
  await buildPages({ configFile: join(ROOT, 'vite.config.ts'), build: { outDir: BUILT_PAGES } })
}

/** Of the built modules, which still find what lies beside them, and the libraries of very many files. */
async function buildPrograms(threads: readonly string[]): Promise<void> {
  const entries = [...PROGRAMS, ...threads].map(
    (source) => [source.replace(/\.ts$/, ''), ownModule(source)] as const,
  )
  const programs = await rolldown({
    input: Object.fromEntries(entries),
    platform: 'node',
    external: (name) => !/^[./]|^(?:kysely|zod)$/.test(name),
    plugins: [staysAtHome],
  })
  await programs.write({ dir: PROGRAM_HOME, chunkFileNames: 'chunks/[name].js' })
  await programs.close()
  writeFileSync(DONE, '')
}

const staysAtHome = {
  name: 'stays-at-home',
  transform: (code: string, id: string) =>
    id.startsWith(HOME)
      ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      : null,
}

/** Tests import sources, and get them as they were built; what runs in browsers, as it is. */
export const importsBuilt: Plugin = {
  name: 'imports-built',
  enforce: 'pre',
  resolveId: (name, importer) => {
    if (importer === undefined || !/^\.\.?\/.*\.ts$/.test(name)) return null
    const source = relative(ROOT, resolve(dirname(importer), name))
    const isBuilt = source.startsWith('src/') && !source.startsWith('src/web/application/')
    return isBuilt ? builtModule(source) : null
  },
}

/** By their paths in there. */
function filesOf(home: string): readonly string[] {
  return globSync(
    PARTS.map((part) => `${part}{,/**}`),
    { cwd: home, ignore: ['src/web/{application,built}/**'] },
  )
}

function contentOf(file: string): Buffer {
  const content = readFileSync(file)
  if (!/(?<!\.d)\.ts$/.test(file)) return content
  const { code, map, errors } = transformSync(file, content.toString('utf8'), {
    sourcemap: true,
    tsconfig: false,
    typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: 'rewrite' },
  })
  if (errors.length > 0) throw new Error(`${file}: ${JSON.stringify(errors)}`)
  const encoded = Buffer.from(JSON.stringify(map)).toString('base64')
  return Buffer.from(`${code}\n//# sourceMappingURL=data:application/json;base64,${encoded}\n`)
}

function writeChanged(file: string, content: Buffer): void {
  if (existsSync(file) && readFileSync(file).equals(content)) return
  rmSync(DONE, { force: true })
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
