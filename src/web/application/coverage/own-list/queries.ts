import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, type ComputedRef, type Ref } from 'vue'
import { useRoute } from 'vue-router'
import { coverageParameters } from '../../../paths/coverage.ts'
import { answerOf, api } from '../../client/api.ts'
import { Problem } from '../../client/problem.ts'
import { inMegabytes } from '../../parts/words/counted-noun.ts'
import { MAX_BYTES, requestOf } from './list-text.ts'
import type { ListReport } from './report.ts'

/** A measured list, and the list that it is compared with. */
export interface SentList {
  /** Identifies the request in query keys, because the lists may be long. */
  readonly number: number
  readonly list: string
  readonly against: string
}

/** Measures a list again when the guidance in the address changes. */
export function useListCoverage(sent: Ref<SentList | null>): UseQueryReturnType<ListReport, Error> {
  const parameters = useGuidanceParameters()
  return useQuery({
    queryKey: computed(() => ['own-list', sent.value?.number, parameters.value]),
    queryFn: ({ signal }) => fetchReport(sent.value, parameters.value, signal),
    enabled: computed(() => sent.value !== null),
    staleTime: Infinity,
    // Removes the list from memory when the page is closed.
    gcTime: 0,
    placeholderData: (before) => before,
  })
}

function useGuidanceParameters(): ComputedRef<Readonly<Record<string, string>>> {
  const route = useRoute()
  return computed(() => {
    const {
      against_stig: _s,
      against_srg: _r,
      against_component: _c,
      against_project: _p,
      ...asked
    } = coverageParameters(route.query)
    return asked
  })
}

async function fetchReport(
  sent: SentList | null,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<ListReport> {
  const file = new Blob([JSON.stringify(requestOf(sent?.list ?? '', sent?.against ?? ''))])
  if (file.size > MAX_BYTES) {
    const detail = `The lists have ${inMegabytes(file.size)}, more than the limit of ${inMegabytes(MAX_BYTES)}. They were not sent.`
    throw new Problem(413, { detail })
  }
  return answerOf(
    api.POST('/api/coverage', { params: { query }, body: { file: '' }, bodySerializer: () => formOf(file), signal }),
  )
}

/** A file may be larger than a body of JSON. */
function formOf(file: Blob): FormData {
  const form = new FormData()
  form.append('file', file, 'list.json')
  return form
}
