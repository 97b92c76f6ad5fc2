import { computed, reactive, ref, shallowRef, watch, type ComputedRef, type Ref, type ShallowRef } from 'vue'
import { useOneAtATime, type OneAtATime } from '../../account/forms/one-at-a-time.ts'
import { statusMessage } from '../../account/forms/status-message.ts'
import { namesFor, type ArchiveOptions } from './archive.ts'

interface PreviewAnswer {
  readonly summary: {
    readonly component_details: readonly { readonly name: string; readonly conflict: boolean }[]
  }
}

interface PreviewOptions<T> {
  /** Requests a preview of the import of a file. */
  readonly request: (file: File, options: ArchiveOptions) => Promise<T>
  /** Names that are already in use. */
  readonly usedNames: () => readonly string[]
  /** Called with the first preview of a file. */
  readonly onFirst?: (answer: T) => void
}

interface ImportPreview<T> extends OneAtATime {
  readonly options: ArchiveOptions
  readonly file: ShallowRef<File | null>
  readonly preview: ShallowRef<T | null>
  readonly names: Ref<Readonly<Record<string, string>>>
  readonly excluded: Ref<ReadonlySet<string>>
  /** Number of chosen components. */
  readonly chosenCount: ComputedRef<number>
  /** Previews the same file again. */
  readonly refresh: () => Promise<void>
  readonly choose: (file: File) => Promise<void>
  readonly forget: () => void
}

/** Runs one request at a time, and removes the previous status message. */
function useWork(): OneAtATime {
  const oneAtATime = useOneAtATime()
  const during = (work: () => Promise<void>): Promise<void> =>
    oneAtATime.during(async () => {
      statusMessage.value = ''
      await work()
    })
  return { ...oneAtATime, during }
}

/** Previews an import, and again when its options change. */
export function useImportPreview<T extends PreviewAnswer>({
  request,
  usedNames,
  onFirst,
}: PreviewOptions<T>): ImportPreview<T> {
  const options = reactive<ArchiveOptions>({ include_reviews: true, include_memberships: false })
  const file = shallowRef<File | null>(null)
  const preview: ShallowRef<T | null> = shallowRef(null)
  const names = ref<Readonly<Record<string, string>>>({})
  const excluded = ref<ReadonlySet<string>>(new Set())
  const work = useWork()

  const refresh = (): Promise<void> =>
    work.during(async () => {
      if (file.value === null) return
      const answer = await request(file.value, options)
      const isFirst = preview.value === null
      preview.value = answer
      names.value = { ...namesFor(answer.summary.component_details, usedNames()), ...names.value }
      if (isFirst) onFirst?.(answer)
    })

  function forget(): void {
    file.value = null
    preview.value = null
    names.value = {}
    excluded.value = new Set()
  }

  async function choose(chosen: File): Promise<void> {
    forget()
    file.value = chosen
    await refresh()
  }

  watch(options, async () => {
    if (preview.value !== null) await refresh()
  })
  const chosenCount = computed(() => {
    const components = preview.value?.summary.component_details ?? []
    return components.filter(({ name }) => !excluded.value.has(name)).length
  })
  return { ...work, options, file, preview, names, excluded, chosenCount, refresh, choose, forget }
}
