import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build as buildFiles } from 'rolldown'
import { transformSync } from 'rolldown/utils'
import { globSync } from 'tinyglobby'
import { build as buildPages } from 'vite'
import type { Plugin } from 'vitest/config'
import { nameOf, programs, PROGRAMS, THREADS } from '../../scripts/rolldown.config.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The sources of programs and threads, and the files next to them. */
const PARTS = ['src', 'test/support', 'data', 'package.json']

/** A folder with the structure of the repository, in JavaScript. */
const HOME = join(ROOT, 'dist', 'test')

/** Path of the built module of a source such as `src/main.ts`. */
export function builtModule(source: string): string {
  return join(HOME, source.replace(/(?<!\.d)\.ts$/, '.js'))
}

/** Programs that tests start as processes; a bundle starts faster than modules. */
const STARTED = [...PROGRAMS, 'test/support/guidance-program.ts']

/** Path of the bundled program of a source, as it is deployed. */
export function builtProgram(source: string): string {
  if (!STARTED.includes(source)) throw new Error(`${source} is none of the programs`)
  return join(HOME, 'programs', `${nameOf(source)}.js`)
}

/**
 * Options of Node for a program that ends soon. They switch off optimised code, which comes too late to help and takes
 * two fifths of the CPU time of a start.
 */
const BRIEF = ['--no-opt', '--liftoff-only']

/** Arguments with which Node starts a program for a short test. */
export function startArguments(source: string): readonly string[] {
  return [...BRIEF, builtProgram(source)]
}

/**
 * Removes the types from the sources before the tests, as a build does, so that processes and threads start as in
 * production. Unchanged files stay, because other tests may be using them.
 */
export async function build(): Promise<void> {
  const sources = filesOf(ROOT)
  // A thread is imported from the path of its module, where this file imports its program.
  const modules = sources.filter((source) => !THREADS.includes(source))
  for (const source of modules) writeChanged(builtModule(source), contentOf(join(ROOT, source)))
  const wanted = new Set(sources.map(builtModule))
  for (const file of filesOf(HOME)) if (!wanted.has(join(HOME, file))) rmSync(join(HOME, file))
  if (isOlder(builtProgram('src/main.ts'), PROGRAM_SOURCES)) await buildPrograms()
  if (isOlder(join(BUILT_PAGES, 'index.html'), PAGE_SOURCES)) await buildApplication()
}

const LIBRARIES = 'package-lock.json'
const PROGRAM_SOURCES = [
  'src/**/*.ts',
  'test/support/*.ts',
  'scripts/rolldown.config.ts',
  'scripts/escape-characters.ts',
  LIBRARIES,
]
const PAGE_SOURCES = [
  'src/web/application/**',
  'src/web/paths/**',
  'src/wording/**',
  'vite.config.ts',
  'scripts/{page-files,first-look}.ts',
  LIBRARIES,
]
const BUILT_PAGES = join(HOME, 'src/web/built')
const RENDERED_PAGES = join(HOME, 'src/web/rendered')

function isOlder(built: string, sources: readonly string[]): boolean {
  if (!existsSync(built)) return true
  const times = globSync(sources, { cwd: ROOT }).map((file) => statSync(join(ROOT, file)).mtimeMs)
  return statSync(built).mtimeMs <= Math.max(...times)
}

async function buildPrograms(): Promise<void> {
  await buildFiles(programs(HOME, 'src/', { entries: [...STARTED, ...THREADS], leads: THREADS }))
}

async function buildApplication(): Promise<void> {
  const configFile = join(ROOT, 'vite.config.ts')
  await buildPages({ configFile, build: { ssr: 'rendering/render-page.ts', outDir: RENDERED_PAGES } })
  await buildPages({ configFile, build: { outDir: BUILT_PAGES } })
}

/** Redirects imports of sources to built files, except for code of browsers. */
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

/** The built files by their paths. */
function filesOf(home: string): readonly string[] {
  return globSync(
    PARTS.map((part) => `${part}{,/**}`),
    { cwd: home, ignore: ['src/web/{application,built,rendered}/**'] },
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
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
