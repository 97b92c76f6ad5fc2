import { defineAsyncComponent, type Component as PanelComponent } from 'vue'

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
  { key: 'srg', label: 'SRG', component: defineAsyncComponent(() => import('./SrgPanel.vue')) },
  {
    key: 'comments',
    label: 'Comments',
    component: defineAsyncComponent(() => import('./CommentPanel.vue')),
  },
  {
    key: 'history',
    label: 'History',
    component: defineAsyncComponent(() => import('./HistoryPanel.vue')),
  },
  {
    key: 'links',
    label: 'Links',
    sections: ['ccis', 'satisfies', 'related', 'defends'],
    component: defineAsyncComponent(() => import('./LinksPanel.vue')),
  },
  {
    key: 'evidence',
    label: 'Files',
    component: defineAsyncComponent(() => import('./EvidencePanel.vue')),
  },
  {
    key: 'inspec',
    label: 'InSpec',
    isStigOnly: true,
    component: defineAsyncComponent(() => import('./InspecPanel.vue')),
  },
  {
    key: 'review',
    label: 'Review',
    isOnDemand: true,
    component: defineAsyncComponent(() => import('./ReviewPanel.vue')),
  },
  {
    key: 'advice',
    label: 'Suggestions',
    isOnDemand: true,
    component: defineAsyncComponent(() => import('../advice/AdvicePanel.vue')),
  },
]

/** Finds a panel by its key or by the key of one of its sections. */
export function findPanel(key: string): Panel | undefined {
  return PANELS.find((one) => one.key === key || one.sections?.includes(key) === true)
}
