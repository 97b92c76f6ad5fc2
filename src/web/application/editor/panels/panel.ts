import { defineAsyncComponent, type Component as Shown } from 'vue'

interface Panel {
  /** As the address has it. */
  readonly key: string
  readonly label: string
  readonly shown: Shown
  /** Other keys that the address may have for it, each for a part of it. */
  readonly parts?: readonly string[]
  /** For rules of STIGs alone. */
  readonly isOfStigs?: boolean
  /** Shown among the others only while it is open: buttons at the rule lead to it. */
  readonly isOnDemand?: boolean
}

/** The panels in order; the first one is the default. */
export const PANELS: readonly Panel[] = [
  { key: 'srg', label: 'SRG', shown: defineAsyncComponent(() => import('./SrgPanel.vue')) },
  {
    key: 'comments',
    label: 'Comments',
    shown: defineAsyncComponent(() => import('./CommentPanel.vue')),
  },
  {
    key: 'history',
    label: 'History',
    shown: defineAsyncComponent(() => import('./HistoryPanel.vue')),
  },
  {
    key: 'links',
    label: 'Links',
    parts: ['ccis', 'satisfies', 'related', 'defends'],
    shown: defineAsyncComponent(() => import('./LinksPanel.vue')),
  },
  {
    key: 'evidence',
    label: 'Files',
    shown: defineAsyncComponent(() => import('./EvidencePanel.vue')),
  },
  {
    key: 'inspec',
    label: 'InSpec',
    isOfStigs: true,
    shown: defineAsyncComponent(() => import('./InspecPanel.vue')),
  },
  {
    key: 'review',
    label: 'Review',
    isOnDemand: true,
    shown: defineAsyncComponent(() => import('./ReviewPanel.vue')),
  },
  {
    key: 'advice',
    label: 'Suggestions',
    isOnDemand: true,
    shown: defineAsyncComponent(() => import('../advice/AdvicePanel.vue')),
  },
]

/** The panel that the address names, whole or by one of its parts. */
export function panelNamed(key: string): Panel | undefined {
  return PANELS.find((one) => one.key === key || one.parts?.includes(key) === true)
}
