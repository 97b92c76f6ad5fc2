import { readonly, ref, type Ref } from 'vue'

const isPrinting = ref(false)

/**
 * Whether the page is being printed. A list that draws only its visible rows has to draw all of them then.
 * Pages are told by `beforeprint`; a preview in the tools of a browser changes the media type only.
 */
export function usePrinting(): Readonly<Ref<boolean>> {
  return readonly(isPrinting)
}

function set(value: boolean): void {
  isPrinting.value = value
}

// Tests import the modules that shape answers without a browser.
if (typeof window !== 'undefined') {
  const media = matchMedia('print')
  addEventListener('beforeprint', () => {
    set(true)
  })
  addEventListener('afterprint', () => {
    set(media.matches)
  })
  media.addEventListener('change', ({ matches }) => {
    set(matches)
  })
}
