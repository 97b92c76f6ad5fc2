import { Worker, type ResourceLimits } from 'node:worker_threads'

/**
 * Starts a module on a separate thread. When run from the sources (`npm run dev`), the thread needs the TypeScript
 * loader first, because Node 20 does not pass loaders on.
 */
export function startThread(module: URL, workerData: unknown, resourceLimits: ResourceLimits): Worker {
  const options = { workerData, resourceLimits }
  if (!module.pathname.endsWith('.ts')) return new Worker(module, options)
  const bootstrap = `import('tsx/esm/api').then((tsx) => {
    tsx.register()
    return import(${JSON.stringify(module.href)})
  })`
  return new Worker(bootstrap, { eval: true, ...options })
}

/** The file of a sibling module, whether this code runs built or from its sources. */
export function siblingModule(self: string, name: string): URL {
  return new URL(`./${name}${self.endsWith('.ts') ? '.ts' : '.js'}`, self)
}
