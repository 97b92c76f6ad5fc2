import { computed } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import type { ItemAddresses } from '../../parts/list/open-item.ts'
import { benchmarkPath, rulePath, type ReleaseName } from '../release-paths.ts'

/** The addresses of the rules of a release, with the filter of its list. */
export function useRuleAddresses(release: () => ReleaseName, name: () => string): ItemAddresses {
  const route = useRoute()
  const router = useRouter()
  // A text that is the same for every rule, so that a thousand links need not be updated at each step.
  const filter = computed(() => router.resolve({ path: '/', query: route.query }).fullPath.slice(1))
  return {
    name: computed(name),
    linkTo: (rule) => (rule === null ? benchmarkPath(release()) : rulePath(release(), rule)) + filter.value,
  }
}
