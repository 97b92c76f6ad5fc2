import { computed, ref, watch, type ComputedRef, type Ref } from 'vue'

interface FewFirst<T> {
  readonly shown: ComputedRef<readonly T[]>
  readonly hasMore: ComputedRef<boolean>
  readonly isWhole: Ref<boolean>
}

/** The first of a long list, until somebody asks for the others. */
export function useFewFirst<T>(list: () => readonly T[], few: number): FewFirst<T> {
  const isWhole = ref(false)
  watch(list, () => {
    isWhole.value = false
  })
  const hasMore = computed(() => !isWhole.value && list().length > few)
  return { shown: computed(() => (hasMore.value ? list().slice(0, few) : list())), hasMore, isWhole }
}
