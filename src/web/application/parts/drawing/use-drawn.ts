import { onMounted, onScopeDispose, readonly, ref, type Ref } from 'vue'

/** False until the browser has drawn what is there now: what is looked at later can wait for that. */
export function useDrawn(): Readonly<Ref<boolean>> {
  const isDrawn = ref(false)
  let frame = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const next = (act: () => void): void => {
    frame = requestAnimationFrame(act)
  }
  onMounted(() => {
    // A frame is drawn after what waits for it; the second begins once the first is there.
    next(() => {
      next(() => {
        timer = setTimeout(() => (isDrawn.value = true))
      })
    })
  })
  onScopeDispose(() => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  })
  return readonly(isDrawn)
}
