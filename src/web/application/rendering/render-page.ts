import './stand-ins.ts'
import type { CopyContent } from '../client/site.ts'
import type { RenderedPage, RenderRequest } from './rendered-page.ts'

/** Renders pages of a copy in files from now on. Call it before the first page. */
export async function renderCopy(content: CopyContent): Promise<void> {
  const site = await import('../client/site.ts')
  site.renderCopy(content)
}

/** Renders a page on a server. `render.ts` is imported after `stand-ins.ts`, because its modules need a browser. */
export async function renderPage(request: RenderRequest): Promise<RenderedPage> {
  const { render } = await import('./render.ts')
  return render(request)
}
