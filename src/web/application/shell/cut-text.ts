import { onMounted, onScopeDispose, ref, type Ref } from 'vue'

/** In milliseconds; enough to read the message twice. */
const SHOWN_FOR = 15_000

/** Reports that the browser has cut a pasted text, because the field has a limit. */
export function useCutText(): Ref<string | null> {
  const notice = ref<string | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined

  function checkPaste({ target, clipboardData }: ClipboardEvent): void {
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    if (!isField || target.maxLength < 0) return
    const cut = excessOf(target, clipboardData?.getData('text/plain') ?? '')
    if (cut <= 0) return
    notice.value = `The field takes ${target.maxLength} characters: the last ${cut} of what you pasted are not in it.`
    clearTimeout(timer)
    timer = setTimeout(() => {
      notice.value = null
    }, SHOWN_FOR)
  }

  onMounted(() => {
    document.addEventListener('paste', checkPaste)
  })
  onScopeDispose(() => {
    document.removeEventListener('paste', checkPaste)
    clearTimeout(timer)
  })
  return notice
}

function excessOf(field: HTMLInputElement | HTMLTextAreaElement, pasted: string): number {
  const { value, maxLength, selectionStart, selectionEnd } = field
  const remainingLength = value.length - ((selectionEnd ?? 0) - (selectionStart ?? 0))
  return remainingLength + pasted.replaceAll('\r\n', '\n').length - maxLength
}
