import { computed, ref, watch, type ComputedRef, type Ref } from 'vue'
import { useRoute, useRouter, type LocationQueryRaw } from 'vue-router'
import { useAddressed } from '../../catalogue/address.ts'

export interface OpenItem<Item> {
  /** Name of the item in the address; empty without one. */
  readonly name: ComputedRef<string>
  readonly open: ComputedRef<Item | null>
  /** Its place in the list; -1 where it is not in it. */
  readonly at: ComputedRef<number>
  /** Its address as a path; the same as long as nothing but the open one changes. */
  readonly linkTo: (item: Item | null) => string
  /** Opens the one so many places further down. */
  readonly step: (by: number) => Promise<void>
}

interface ItemNames<Item> {
  readonly find: (name: string) => Item | null
  readonly nameOf: (item: Item) => string
}

/** The rule that the address has open, beside the list of those that are shown. */
export function useOpenItem<Item>(
  listed: Readonly<Ref<readonly Item[]>>,
  { find, nameOf }: ItemNames<Item>,
): OpenItem<Item> {
  const route = useRoute()
  const router = useRouter()
  const name = useAddressed('rule')
  const open = computed(() => (name.value === '' ? null : find(name.value)))
  const at = computed(() => (open.value === null ? -1 : listed.value.indexOf(open.value)))
  // Last index of the open item, for when it has left the list, as after its approval.
  const last = ref(0)
  watch(
    at,
    (now) => {
      if (now >= 0) last.value = now
    },
    { immediate: true },
  )
  // As a text it stays the same from rule to rule: a thousand links need not be rebuilt at each.
  const list = computed(() => router.resolve({ query: queryOf(null), hash: '' }).fullPath)
  const queryOf = (item: Item | null): LocationQueryRaw => ({
    ...route.query,
    rule: item === null ? undefined : nameOf(item),
  })
  return {
    name,
    open,
    at,
    linkTo: (item) => {
      if (item === null) return list.value
      const mark = list.value.includes('?') ? '&' : '?'
      return `${list.value}${mark}rule=${encodeURIComponent(nameOf(item))}`
    },
    step: async (by) => {
      const end = listed.value.length - 1
      const left = Math.min(Math.max(last.value - (by > 0 ? 0 : 1), 0), end)
      const to = at.value >= 0 ? at.value + by : left
      const next = listed.value[open.value === null ? 0 : to]
      if (next === undefined) return
      // One step back leads to the list, however many rules were looked at.
      await router.push({ query: queryOf(next), replace: open.value !== null })
    },
  }
}
