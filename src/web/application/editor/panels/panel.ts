import type { Component as PanelComponent } from 'vue'
import { lazyPart } from '../../parts/lazy-part.ts'

interface Panel {
  /** Its value in the address. */
  readonly key: string
  readonly label: string
  readonly component: PanelComponent
  /** Keys of its sections, which the address may have instead. */
  readonly sections?: readonly string[]
  /** Only for rules of STIGs. */
  readonly isStigOnly?: boolean
  /** Listed only while it is open; buttons at the rule open it. */
  readonly isOnDemand?: boolean
}

/** The panels in order; the first one is the default. */
export const PANELS: readonly Panel[] = [
  { key: 'srg', label: 'SRG', component: lazyPart(() => import('./SrgPanel.vue')) },
  {
    key: 'comments',
    label: 'Comments',
    component: lazyPart(() => import('./CommentPanel.vue')),
  },
  {
    key: 'history',
    label: 'History',
    component: lazyPart(() => import('./HistoryPanel.vue')),
  },
  {
    key: 'links',
    label: 'Links',
    sections: ['ccis', 'satisfies', 'related', 'defends'],
    component: lazyPart(() => import('./LinksPanel.vue')),
  },
  {
    key: 'evidence',
    label: 'Files',
    component: lazyPart(() => import('./EvidencePanel.vue')),
  },
  {
    key: 'inspec',
    label: 'InSpec',
    isStigOnly: true,
    component: lazyPart(() => import('./InspecPanel.vue')),
  },
  {
    key: 'review',
    label: 'Review',
    isOnDemand: true,
    component: lazyPart(() => import('./ReviewPanel.vue')),
  },
  {
    key: 'advice',
    label: 'Suggestions',
    isOnDemand: true,
    component: lazyPart(() => import('../advice/AdvicePanel.vue')),
  },
]

/** Finds a panel by its key or by the key of one of its sections. */
export function findPanel(key: string): Panel | undefined {
  return PANELS.find((one) => one.key === key || one.sections?.includes(key) === true)
}
