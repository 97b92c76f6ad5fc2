import { rmSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { BuildOptions, Plugin } from 'rolldown'
import { globSync } from 'tinyglobby'
import { escapeCharacters } from './escape-characters.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const COMMANDS = [
  'admin',
  'backup',
  'check-release',
  'import',
  'ingest',
  'mcp',
  'publish',
  'reindex',
  'releases',
  'restore',
  'sync',
]

/** The program with all commands. Package managers start it by its first line. */
const COMMAND = 'src/cli.ts'

/** Entries of processes. */
export const PROGRAMS = [COMMAND, 'src/main.ts', ...COMMANDS.map((name) => `src/commands/${name}.ts`)]

/** Entries of threads, and modules that are imported by their address. */
export const THREADS = globSync(['src/**/*-worker.ts', 'src/**/*-module.ts'], { cwd: ROOT }).sort()

/** Libraries with hundreds of modules, each of which would be a file to read at every start. */
const OF_MANY_FILES = /^(?:kysely|zod)$/

/** The path from `dist` to the modules of the folder that is built there. */
type OutputFolder = '' | 'src/'

/**
 * Builds programs and threads as few large files below `programs/` of a folder, because these start in two thirds of
 * the time. For each of `leads`, a small file at the place of the module imports the large one; files next to a module
 * are still found there. Other libraries stay where they are installed.
 */
export function programs(
  folder: string,
  home: OutputFolder,
  { entries, leads }: Record<'entries' | 'leads', readonly string[]>,
): BuildOptions {
  return {
    input: Object.fromEntries(entries.map((source) => [nameOf(source), join(ROOT, source)])),
    platform: 'node',
    external: (name) => !/^[./]/.test(name) && !OF_MANY_FILES.test(name),
    logLevel: 'warn',
    experimental: { nativeMagicString: true },
    plugins: [staysAtHome(home), escapeCharacters(), leadsThere(folder, home, leads)],
    output: {
      dir: folder,
      entryFileNames: 'programs/[name].js',
      chunkFileNames: 'programs/[name].js',
      sourcemap: true,
      comments: false,
      minify: false,
    },
  }
}

/** The name of the file where a program is, below `programs/`. */
export function nameOf(source: string): string {
  return source
    .replace(/^src\//, '')
    .replace(/\.ts$/, '')
    .replaceAll('/', '-')
}

function staysAtHome(home: OutputFolder): Plugin {
  return {
    name: 'stays-at-home',
    transform: (_code, id, { magicString }) => {
      const source = relative(ROOT, id)
      if (!/^(?:src|test)\//.test(source) || magicString === undefined) return null
      const path = pathToFileURL(join('/', moduleOf(source, home))).pathname
      magicString.replaceAll('import.meta.url', `new URL('..${path}', import.meta.url).href`)
      return { code: magicString }
    },
  }
}

function leadsThere(folder: string, home: OutputFolder, leads: readonly string[]): Plugin {
  return {
    name: 'leads-there',
    buildStart() {
      rmSync(join(folder, 'programs'), { recursive: true, force: true })
    },
    generateBundle() {
      for (const source of leads) {
        const fileName = moduleOf(source, home)
        const target = posix.relative(dirname(fileName), `programs/${nameOf(source)}.js`)
        const from = target.startsWith('.') ? target : `./${target}`
        const firstLine = source === COMMAND ? '#!/usr/bin/env node\n' : ''
        this.emitFile({ type: 'asset', fileName, source: `${firstLine}export * from '${from}'\n` })
      }
    },
  }
}

/** Path of the module that is built from a source. */
function moduleOf(source: string, home: OutputFolder): string {
  return source.replace(/^src\//, home).replace(/\.ts$/, '.js')
}

const entries = [...PROGRAMS, ...THREADS]

/** `dist/main.js` and the others, as they are deployed. */
export default programs(join(ROOT, 'dist'), '', { entries, leads: entries })
