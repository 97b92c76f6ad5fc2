import { onMounted, onScopeDispose, readonly, ref, type Ref } from 'vue'

/** False until the browser has drawn the current content, so that less important parts can wait. */
export function useDrawn(): Readonly<Ref<boolean>> {
  const isDrawn = ref(false)
  let frame = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const afterFrame = (act: () => void): void => {
    frame = requestAnimationFrame(act)
  }
  onMounted(() => {
    // The callback runs before its frame is drawn, so the second one runs after the first frame.
    afterFrame(() => {
      afterFrame(() => {
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
