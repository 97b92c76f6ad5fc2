import { SECTIONS } from '../../../../tables/sections.ts'

interface SectionedComment {
  readonly section: string | null
}

export interface SectionGroup<T> {
  readonly section: string | null
  readonly comments: readonly T[]
}

/** Comments by section, in the order of the sections; those on the whole rule come first. */
export function bySection<T extends SectionedComment>(comments: readonly T[]): readonly SectionGroup<T>[] {
  const order = [null, ...SECTIONS.map(({ key }) => key)]
  const knownSections = new Set<string | null>(order)
  const others = comments.map(({ section }) => section).filter((section) => !knownSections.has(section))
  return [...new Set<string | null>([...order, ...others])].flatMap((section) => {
    const group = comments.filter((comment) => comment.section === section)
    return group.length === 0 ? [] : [{ section, comments: group }]
  })
}
