import type { Component as PanelComponent } from 'vue'
import type { LoadPage } from '../../load-page.ts'
import { lazyPart } from '../../parts/drawing/lazy-part.ts'

interface Panel {
  /** Its value in the address. */
  readonly key: string
  readonly label: string
  readonly component: PanelComponent
  /** Loads the component before it is shown. */
  readonly load: () => Promise<unknown>
  /** Keys of its sections, which the address may have instead. */
  readonly sections?: readonly string[]
  /** Only for rules of STIGs. */
  readonly isStigOnly?: boolean
  /** Listed only while it is open; buttons at the rule open it. */
  readonly isOnDemand?: boolean
}

function loaded(load: LoadPage): Pick<Panel, 'component' | 'load'> {
  return { component: lazyPart(load), load }
}

/** The panels in order; the first one is the default. */
export const PANELS: readonly Panel[] = [
  { key: 'srg', label: 'SRG', ...loaded(() => import('./SrgPanel.vue')) },
  {
    key: 'comments',
    label: 'Comments',
    ...loaded(() => import('./CommentPanel.vue')),
  },
  {
    key: 'history',
    label: 'History',
    ...loaded(() => import('./HistoryPanel.vue')),
  },
  {
    key: 'links',
    label: 'Links',
    sections: ['ccis', 'satisfies', 'related', 'defends'],
    ...loaded(() => import('./LinksPanel.vue')),
  },
  {
    key: 'evidence',
    label: 'Files',
    ...loaded(() => import('./EvidencePanel.vue')),
  },
  {
    key: 'inspec',
    label: 'InSpec',
    isStigOnly: true,
    ...loaded(() => import('./InspecPanel.vue')),
  },
  {
    key: 'review',
    label: 'Review',
    isOnDemand: true,
    ...loaded(() => import('./ReviewPanel.vue')),
  },
  {
    key: 'advice',
    label: 'Suggestions',
    isOnDemand: true,
    ...loaded(() => import('../advice/AdvicePanel.vue')),
  },
]

/** Finds a panel by its key or by the key of one of its sections. */
export function findPanel(key: string): Panel | undefined {
  return PANELS.find((panel) => panel.key === key || panel.sections?.includes(key) === true)
}
