import './stand-ins.ts'
import type { CopyContent } from '../client/site.ts'
import type { RenderedPage, RenderRequest } from './rendered-page.ts'

/** From now on, pages are those of a copy in files. Comes before the first page. */
export async function renderCopy(content: CopyContent): Promise<void> {
  const site = await import('../client/site.ts')
  site.renderCopy(content)
}

/** Renders a page on a server: see `render.ts`, whose modules are loaded once there is what they take from a browser. */
export async function renderPage(request: RenderRequest): Promise<RenderedPage> {
  const { render } = await import('./render.ts')
  return render(request)
}
