import { workerData } from 'node:worker_threads'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { WorkQueue } from '../../../platform/concurrency/work-queue.ts'
import { objectWith } from '../../../platform/threads/protocol.ts'
import { serve } from '../../../platform/threads/serve.ts'
import { builtFile } from '../built-pages.ts'
import {
  RENDERING,
  renderingStart,
  type CopyContent,
  type PackedAnswer,
  type RenderedPage,
  type RenderingExchanges,
} from './protocol.ts'

interface RenderingModule {
  readonly renderCopy: (content: CopyContent) => Promise<void>
  readonly renderPage: (request: {
    readonly path: string
    readonly baseUrl: string
    readonly answers: readonly { readonly address: string; readonly status: number; readonly body: string }[]
  }) => Promise<RenderedPage>
}

const file = builtFile('rendered', 'render-page.js')
const { renderCopy, renderPage } = objectWith<RenderingModule>('renderCopy', 'renderPage').parse(
  await import(file.href),
)
const { copy } = renderingStart.parse(workerData)
if (copy !== null) await renderCopy(copy)
/** The modules of the pages have global state for one page, so pages are rendered one by one. */
const queue = new WorkQueue()

serve<RenderingExchanges>(RENDERING, {
  render: ({ path, baseUrl, answers }) => queue.run(() => renderPage({ path, baseUrl, answers: answers.map(unpack) })),
})

function unpack({ address, status, coding, body }: PackedAnswer): { address: string; status: number; body: string } {
  const bytes = coding === 'identity' ? body : coding === 'br' ? brotliDecompressSync(body) : gunzipSync(body)
  return { address, status, body: new TextDecoder().decode(bytes) }
}
