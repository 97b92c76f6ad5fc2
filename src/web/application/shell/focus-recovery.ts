import { onMounted, onScopeDispose, type Ref } from 'vue'

/** In milliseconds; the code that removed the element may move the focus within this time. */
const DELAY_MS = 50

/** Elements that screen readers announce as a place. */
const LANDMARKS = 'main, :is([aria-label], [aria-labelledby]):is(section, article, aside, nav, form)'

/**
 * Keeps the focus near its place for keyboard and screen reader users. If the focused element disappears (a button
 * after its action, a removed row, a list on a narrow screen), the element around it gets the focus; a control that was
 * disabled for a while gets it back.
 */
export function useFocusRecovery(main: Readonly<Ref<HTMLElement | null>>): void {
  let last: readonly HTMLElement[] = []
  let isWaiting = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function remember({ target }: FocusEvent): void {
    last = target instanceof HTMLElement ? [target, ...ancestorsOf(target)] : []
    isWaiting = false
  }

  function recoverFocus(): void {
    timer = undefined
    const [focused] = last
    if (focused === undefined || document.activeElement !== document.body) return
    if (isVisible(focused)) {
      if (!isWaiting || focused.matches(':disabled')) return
      isWaiting = false
      focused.focus({ preventScroll: true })
      return
    }
    const landmark = last.find((element) => isVisible(element) && element.matches(LANDMARKS))
    if (landmark !== undefined) focusOn(landmark)
  }

  function notice(): void {
    // Immediately, because the element may be enabled again soon.
    isWaiting ||= last[0]?.matches(':disabled') === true
    timer ??= setTimeout(recoverFocus, DELAY_MS)
  }

  let observer: MutationObserver | undefined
  onMounted(() => {
    if (main.value === null) return
    observer = new MutationObserver(notice)
    main.value.addEventListener('focusin', remember)
    const attributeFilter = ['class', 'disabled', 'hidden', 'open']
    observer.observe(main.value, { childList: true, subtree: true, attributeFilter })
  })
  onScopeDispose(() => {
    observer?.disconnect()
    clearTimeout(timer)
  })
}

function ancestorsOf({ parentElement: parent }: HTMLElement): HTMLElement[] {
  return parent === null ? [] : [parent, ...ancestorsOf(parent)]
}

function isVisible(element: HTMLElement): boolean {
  return element.isConnected && element.checkVisibility()
}

function focusOn(landmark: HTMLElement): void {
  if (!landmark.hasAttribute('tabindex')) {
    landmark.tabIndex = -1
    const forget = (): void => {
      landmark.removeAttribute('tabindex')
    }
    landmark.addEventListener('blur', forget, { once: true })
  }
  landmark.focus({ preventScroll: true })
}
