import './stand-ins.ts'
import type { RenderedPage, RenderRequest } from './rendered-page.ts'

/** Renders a page on a server: see `render.ts`, whose modules are loaded once there is what they take from a browser. */
export async function renderPage(request: RenderRequest): Promise<RenderedPage> {
  const { render } = await import('./render.ts')
  return render(request)
}
