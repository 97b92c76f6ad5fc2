import { defineAsyncComponent, type Component as Shown } from 'vue'

interface Panel {
  /** As the address has it. */
  readonly key: string
  readonly label: string
  readonly shown: Shown
  /** For rules of STIGs alone. */
  readonly isOfStigs?: boolean
}

/** The panels in order; the first one is the default. */
export const PANELS: readonly Panel[] = [
  { key: 'srg', label: 'SRG', shown: defineAsyncComponent(() => import('./SrgPanel.vue')) },
  { key: 'ccis', label: 'CCIs', shown: defineAsyncComponent(() => import('./ccis/CciPanel.vue')) },
  {
    key: 'advice',
    label: 'Advice',
    shown: defineAsyncComponent(() => import('../advice/AdvicePanel.vue')),
  },
  {
    key: 'review',
    label: 'Review and locks',
    shown: defineAsyncComponent(() => import('./ReviewPanel.vue')),
  },
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
    key: 'satisfies',
    label: 'Satisfies',
    isOfStigs: true,
    shown: defineAsyncComponent(() => import('./SatisfiesPanel.vue')),
  },
  {
    key: 'related',
    label: 'Other products',
    isOfStigs: true,
    shown: defineAsyncComponent(() => import('./RelatedPanel.vue')),
  },
  {
    key: 'defends',
    label: 'Defends',
    shown: defineAsyncComponent(() => import('./DefendsPanel.vue')),
  },
  {
    key: 'inspec',
    label: 'InSpec',
    isOfStigs: true,
    shown: defineAsyncComponent(() => import('./InspecPanel.vue')),
  },
]
