import type { Plugin, Rolldown } from 'vite'

/** `technique: () => import('./technique/TechniquePage.vue'),` */
const LOADED = /^ {2}(\w+): \(\) => import\('(\.{1,2}\/[^']+\.vue)'\),$/gm
const TABLES = /\/application\/(?:\w+\/)?pages\.ts$/

/**
 * Writes `pages.json` next to the document: the additional scripts of each page, by the name of the page. The server
 * tells browsers to load them at once; otherwise they would find one after the other.
 */
export function pageFiles(): Plugin {
  const modules = new Map<string, string>()
  return {
    name: 'page-files',
    apply: 'build',
    // The code is as it is in the source.
    enforce: 'pre',
    async transform(code, id) {
      if (!TABLES.test(id)) return
      for (const [, name = '', file = ''] of code.matchAll(LOADED)) {
        const resolved = await this.resolve(file, id)
        if (resolved === null) this.error(`There is no ${file}`)
        modules.set(name, resolved.id)
      }
    },
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
      const first = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap(filesOf(byName)))
      const files = [...modules].map(([name, module]) => {
        const ownChunks = chunks.filter((chunk) => chunk.facadeModuleId === module)
        return [name, ownChunks.flatMap(filesOf(byName)).filter((file) => !first.has(file))]
      })
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(Object.fromEntries(files)) })
    },
  }
}

/** Scripts of a chunk and of all its imports, dependencies first. */
function filesOf(
  chunks: ReadonlyMap<string, Rolldown.OutputChunk>,
): (chunk: Rolldown.OutputChunk) => readonly string[] {
  return (chunk) => {
    const visited = new Set<string>()
    const gather = ({ fileName, imports }: Rolldown.OutputChunk): string[] => {
      if (visited.has(fileName)) return []
      visited.add(fileName)
      const below = imports.flatMap((name) => {
        const imported = chunks.get(name)
        return imported === undefined ? [] : gather(imported)
      })
      return [...below, fileName]
    }
    return gather(chunk)
  }
}
