import { onScopeDispose, ref, toValue, watchEffect, type MaybeRefOrGetter } from 'vue'

/** Title of the shown page; null until it is known. */
export const pageTitle = ref<string | null>(null)

/** Names the page in the window's title; call it once for each page. */
export function usePageTitle(title: MaybeRefOrGetter<string | null>): void {
  watchEffect(() => {
    const titleText = toValue(title)
    pageTitle.value = titleText
    if (typeof document !== 'undefined') document.title = titleText === null ? 'Parapet' : `${titleText} – Parapet`
  })
  onScopeDispose(() => {
    pageTitle.value = null
  })
}
