import { type Application, untilAnswered } from './until-answered.ts'

const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex]'

/**
 * Replaces the rendered content by the application when both show the same, so that nothing is empty or moves
 * meanwhile. Focus, typed text and open details are kept.
 */
export async function takeOver(served: Element, application: Application): Promise<void> {
  const container = document.createElement('div')
  container.id = served.id
  application.app.mount(container)
  await untilAnswered(application)
  const handOver = startTakeOver(served, container)
  served.replaceWith(container)
  handOver()
}

/** Records focus, typed text and open details; returns a function that restores them in the application. */
function startTakeOver(served: Element, mounted: Element): () => void {
  const typed = pairElements(served, mounted, 'input').filter(([from]) => from.value !== from.defaultValue)
  const opened = pairElements(served, mounted, 'details').filter(([from, to]) => from.open !== to.open)
  const { activeElement } = document
  const focused = pairElements<HTMLElement>(served, mounted, CONTROLS).find(([from]) => from === activeElement)?.[1]
  return () => {
    for (const [from, to] of typed) {
      to.value = from.value
      to.dispatchEvent(new Event('input', { bubbles: true }))
    }
    for (const [from, to] of opened) to.open = from.open
    focused?.focus({ preventScroll: true })
  }
}

function pairElements<K extends keyof HTMLElementTagNameMap>(
  served: Element,
  mounted: Element,
  selector: K,
): readonly (readonly [HTMLElementTagNameMap[K], HTMLElementTagNameMap[K]])[]
function pairElements<T extends Element>(
  served: Element,
  mounted: Element,
  selector: string,
): readonly (readonly [T, T])[]
/** The corresponding elements of both documents; none if the documents differ. */
function pairElements(served: Element, mounted: Element, selector: string): readonly (readonly [Element, Element])[] {
  const before = [...served.querySelectorAll(selector)]
  const after = [...mounted.querySelectorAll(selector)]
  const isSame =
    before.length === after.length && before.every(({ tagName }, index) => tagName === after[index]?.tagName)
  return isSame ? before.flatMap((from, index) => after.slice(index, index + 1).map((to) => [from, to] as const)) : []
}

/**
 * Shows the application if the document came without content. The first page is shown when its answers are loaded
 * (`[aria-busy]` in the styles of the shell), so that nothing moves while people read.
 */
export async function showAnswered(root: Element, application: Application): Promise<void> {
  root.setAttribute('aria-busy', 'true')
  application.app.mount(root)
  await untilAnswered(application)
  root.removeAttribute('aria-busy')
}
