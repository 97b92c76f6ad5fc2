import type { EDITOR_PATHS } from '../../paths/editor.ts'
import type { LoadPage } from '../load-page.ts'

/** The editor by the name of its path. */
export const EDITOR_PAGES = {
  editor: () => import('./EditorPage.vue'),
} satisfies Readonly<Record<keyof typeof EDITOR_PATHS, LoadPage>>
