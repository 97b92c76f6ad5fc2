import { getCurrentInstance, onScopeDispose, readonly, ref, type ComponentInternalInstance, type Ref } from 'vue'

const isPrinting = ref(false)
const printed = new Set<ComponentInternalInstance>()

/**
 * Whether the page is being printed. A list that draws only its visible rows has to draw all of them then. The browser
 * fires `beforeprint`; the print preview of its developer tools only changes the media type.
 */
export function usePrinting(): Readonly<Ref<boolean>> {
  const instance = getCurrentInstance()
  if (instance !== null) {
    printed.add(instance)
    onScopeDispose(() => printed.delete(instance))
  }
  return readonly(isPrinting)
}

const preparations = new Set<() => void>()

/** Calls `prepare` before the page is printed. Browsers do not wait for asynchronous work. */
export function useBeforePrint(prepare: () => void): void {
  preparations.add(prepare)
  onScopeDispose(() => preparations.delete(prepare))
}

function setPrinting(value: boolean): void {
  // The head of each sheet, in print.css.
  if (value) document.documentElement.style.setProperty('--printed-title', JSON.stringify(document.title))
  isPrinting.value = value
  // Firefox prints the page as it is right after the event, before Vue would draw it again.
  for (const instance of printed) if (instance.isMounted && !instance.isUnmounted) instance.update()
  // Others unfold by print.css.
  if (!CSS.supports('selector(::details-content)')) setUnfolded(value)
}

let unfolded: readonly HTMLDetailsElement[] = []

/** Opens folded details, and closes them after printing. */
function setUnfolded(isOpen: boolean): void {
  if (isOpen) unfolded = [...document.querySelectorAll<HTMLDetailsElement>('main details:not([open], .screen-only *)')]
  for (const details of unfolded) details.open = isOpen
}

// Tests import the modules that shape answers without a browser.
if (typeof window !== 'undefined') {
  const media = matchMedia('print')
  addEventListener('beforeprint', () => {
    for (const prepare of preparations) prepare()
    setPrinting(true)
  })
  addEventListener('afterprint', () => {
    setPrinting(media.matches)
  })
  media.addEventListener('change', ({ matches }) => {
    setPrinting(matches)
  })
}
