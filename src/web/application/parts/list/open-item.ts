import { computed, ref, watch, type ComputedRef, type Ref } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { useAddressed } from '../../catalogue/address.ts'

export interface OpenItem<Item> {
  /** Name of the item in the address; empty without one. */
  readonly name: ComputedRef<string>
  readonly open: ComputedRef<Item | null>
  /** Its index in the list; -1 if it is not in the list. */
  readonly openIndex: ComputedRef<number>
  /** The address of an item as a path; it does not depend on the open item. */
  readonly linkTo: (item: Item | null) => string
  /** Opens the item so many places further down. */
  readonly step: (by: number) => Promise<void>
}

/** The addresses of the items of a list. */
export interface ItemAddresses {
  /** Name of the open item in the address; empty without one. */
  readonly name: ComputedRef<string>
  /** The address with an item open, by its name, or with none. */
  readonly linkTo: (name: string | null) => string
}

interface ItemNames<Item> {
  readonly find: (name: string) => Item | null
  readonly nameOf: (item: Item) => string
}

/** The open item of a list, as the address names it. */
export function useOpenItem<Item>(
  listed: Readonly<Ref<readonly Item[]>>,
  { find, nameOf }: ItemNames<Item>,
  addresses = useRuleParameter(),
): OpenItem<Item> {
  const router = useRouter()
  const { name } = addresses
  const open = computed(() => (name.value === '' ? null : find(name.value)))
  const openIndex = computed(() => (open.value === null ? -1 : listed.value.indexOf(open.value)))
  // Last index of the open item, because it may leave the list, for example when it is approved.
  const lastIndex = ref(0)
  watch(
    openIndex,
    (index) => {
      if (index >= 0) lastIndex.value = index
    },
    { immediate: true },
  )
  const linkTo = (item: Item | null): string => addresses.linkTo(item === null ? null : nameOf(item))
  return {
    name,
    open,
    openIndex,
    linkTo,
    step: async (by) => {
      const end = listed.value.length - 1
      const indexAfterLeaving = Math.min(Math.max(lastIndex.value - (by > 0 ? 0 : 1), 0), end)
      const to = openIndex.value >= 0 ? openIndex.value + by : indexAfterLeaving
      const next = listed.value[open.value === null ? 0 : to]
      if (next === undefined) return
      // Going back once leads to the list, however many rules were opened.
      await (open.value === null ? router.push(linkTo(next)) : router.replace(linkTo(next)))
    },
  }
}

/** The rule is a parameter of the page's address. */
export function useRuleParameter(): ItemAddresses {
  const route = useRoute()
  const router = useRouter()
  // A text that is the same for every rule, so that a thousand links need not be updated at each step.
  const list = computed(() => router.resolve({ query: { ...route.query, rule: undefined }, hash: '' }).fullPath)
  return {
    name: useAddressed('rule'),
    linkTo: (name) => {
      if (name === null) return list.value
      const mark = list.value.includes('?') ? '&' : '?'
      return `${list.value}${mark}rule=${encodeURIComponent(name)}`
    },
  }
}
