import { computed, ref, watch, type ComputedRef, type Ref } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { useAddressed } from '../../catalogue/address.ts'
import { positionText, stepFrom, type CommentPosition } from './place.ts'

interface Steps {
  /** The open comment in the address; 0 if there is none. */
  readonly open: ComputedRef<number>
  readonly positionLabel: ComputedRef<string>
  readonly canStep: (by: number) => boolean
  readonly step: (by: number) => Promise<void>
}

type CommentPage = Pick<CommentPosition, 'pagination'> & {
  readonly rows: readonly { readonly id: number }[]
  /** Whether the comments belong to the current request, not to the previous one. */
  readonly isSettled: boolean
}

/** The index of the open comment, and its last index. */
function useCommentPosition(
  listed: Readonly<Ref<CommentPage>>,
  open: ComputedRef<number>,
): ComputedRef<CommentPosition> {
  const lastIndex = ref(0)
  const ids = computed(() => listed.value.rows.map((row) => row.id))
  watch(
    () => ids.value.indexOf(open.value),
    (index) => {
      if (index >= 0) lastIndex.value = index
    },
    { immediate: true },
  )
  return computed(() => {
    const { pagination } = listed.value
    return { ids: ids.value, pagination, open: open.value, last: lastIndex.value }
  })
}

/** The open comment of a list, with steps to the previous and the next one. */
export function useSteps(listed: Readonly<Ref<CommentPage>>): Steps {
  const route = useRoute()
  const router = useRouter()
  const addressed = useAddressed('comment')
  const open = computed(() => Number(addressed.value) || 0)
  const position = useCommentPosition(listed, open)
  let end: 'first' | 'last' = 'first'
  const show = (comment: number | undefined, page = listed.value.pagination.page) =>
    router.replace({ query: { ...route.query, comment, page: page > 1 ? page : undefined } })
  // Without a comment in the address, the first one opens, and stays open when it is decided.
  watch(
    [open, listed],
    async ([openId, { rows, isSettled }]) => {
      const row = end === 'first' ? rows[0] : rows.at(-1)
      if (openId === 0 && isSettled && row !== undefined) await show(row.id)
    },
    { immediate: true },
  )
  const step = async (by: number): Promise<void> => {
    const to = stepFrom(position.value, by)
    if (to === null) return
    if ('page' in to) end = to.end
    await ('page' in to ? show(undefined, to.page) : show(to.comment))
  }
  const positionLabel = computed(() => positionText(position.value))
  return { open, positionLabel, canStep: (by) => stepFrom(position.value, by) !== null, step }
}
