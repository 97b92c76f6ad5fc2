import { parentPort } from 'node:worker_threads'

/** Requests for these paths fail like a faulty view; all others are rendered. */
export const SPIN = '/api/technique/d3f:Spin.json'
export const HOARD = '/api/technique/d3f:Hoard.json'

parentPort?.on('message', ({ question }: { readonly question: { readonly path?: string } | null }) => {
  if (question?.path === SPIN) spin()
  if (question?.path === HOARD) hoard()
})

if (parentPort !== null) await import('../../src/ontology/render/render-worker.ts')

function spin(): never {
  for (;;);
}

function hoard(): never {
  const kept: unknown[] = []
  for (;;) kept.push(new Array<number>(100_000).fill(Math.PI))
}
