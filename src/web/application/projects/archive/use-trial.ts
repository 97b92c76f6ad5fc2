import { computed, reactive, ref, shallowRef, watch, type ComputedRef, type Ref, type ShallowRef } from 'vue'
import { useOneAtATime, type OneAtATime } from '../../account/forms/one-at-a-time.ts'
import { statusMessage } from '../../account/forms/status-message.ts'
import { namesFor, type ArchiveOptions } from './archive.ts'

interface TrialAnswer {
  readonly summary: {
    readonly component_details: readonly { readonly name: string; readonly conflict: boolean }[]
  }
}

interface Trial<T> {
  /** Asks what would come of a file. */
  readonly ask: (file: File, options: ArchiveOptions) => Promise<T>
  /** Names that the components of the archive cannot have. */
  readonly taken: () => readonly string[]
  /** Not where something else of the same file is wanted. */
  readonly onFirst?: (answer: T) => void
}

interface TrialState<T> extends OneAtATime {
  readonly options: ArchiveOptions
  readonly file: ShallowRef<File | null>
  readonly tried: ShallowRef<T | null>
  readonly names: Ref<Readonly<Record<string, string>>>
  readonly left: Ref<ReadonlySet<string>>
  /** How many of its components are. */
  readonly wanted: ComputedRef<number>
  /** Previews the same file again. */
  readonly look: () => Promise<void>
  readonly choose: (file: File) => Promise<void>
  readonly forget: () => void
}

/** One at a time, and what was done before is no longer told. */
function useWork(): OneAtATime {
  const { error, isBusy, during: once } = useOneAtATime()
  const during = (work: () => Promise<void>): Promise<void> =>
    once(async () => {
      statusMessage.value = ''
      await work()
    })
  return { error, isBusy, during }
}

/** Previews an import, and again when its options change. */
export function useTrial<T extends TrialAnswer>({ ask, taken, onFirst }: Trial<T>): TrialState<T> {
  const options = reactive<ArchiveOptions>({ include_reviews: true, include_memberships: false })
  const file = shallowRef<File | null>(null)
  const tried: ShallowRef<T | null> = shallowRef(null)
  const names = ref<Readonly<Record<string, string>>>({})
  const left = ref<ReadonlySet<string>>(new Set())
  const { error, isBusy, during } = useWork()

  const look = (): Promise<void> =>
    during(async () => {
      if (file.value === null) return
      const answer = await ask(file.value, options)
      const isFirst = tried.value === null
      tried.value = answer
      names.value = { ...namesFor(answer.summary.component_details, taken()), ...names.value }
      if (isFirst) onFirst?.(answer)
    })

  function forget(): void {
    file.value = null
    tried.value = null
    names.value = {}
    left.value = new Set()
  }

  async function choose(chosen: File): Promise<void> {
    forget()
    file.value = chosen
    await look()
  }

  watch(options, async () => {
    if (tried.value !== null) await look()
  })
  const wanted = computed(() => {
    const found = tried.value?.summary.component_details ?? []
    return found.filter(({ name }) => !left.value.has(name)).length
  })
  return { options, file, tried, names, left, error, isBusy, wanted, during, look, choose, forget }
}
