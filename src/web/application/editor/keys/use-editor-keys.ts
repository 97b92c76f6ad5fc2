import { findPanel, PANELS } from '../panels/panel.ts'
import type { RuleLocation } from '../saving/stored-drafts.ts'
import { saverAt } from '../saving/use-saver.ts'
import type { Command } from './commands.ts'
import { focusLater, leaveField, stepField, stepInField, stepSection } from './fields.ts'
import { useKeys } from './use-keys.ts'

interface EditorActions {
  readonly step: (by: number) => unknown
  readonly help: () => void
  /** Opens a panel, computed from the open one. */
  readonly openPanel: (panel: (openKey: string) => string) => unknown
  /** Called before the filter of the list gets the focus. */
  readonly filter: () => void
  readonly location: () => RuleLocation
}

const IN_FORM: Partial<Readonly<Record<Command, () => unknown>>> = {
  nextField: () => {
    stepField(1)
  },
  previousField: () => {
    stepField(-1)
  },
  nextSection: () => {
    stepSection(1)
  },
  previousSection: () => {
    stepSection(-1)
  },
  status: () => {
    // The form of the next rule may not be shown yet.
    focusLater('#field-status')
  },
  leave: leaveField,
}

/** Carries out the key commands of the editor. */
export function useEditorKeys({ step, help, openPanel, filter, location }: EditorActions): void {
  const openPanelAndFocus = (panel: string, selector: string): void => {
    openPanel(() => panel)
    focusLater(selector)
  }
  useKeys({
    ...IN_FORM,
    next: () => stepInField(() => step(1)),
    previous: () => stepInField(() => step(-1)),
    save: () => saverAt(location())?.save(),
    review: () => {
      openPanelAndFocus('review', '#review-note')
    },
    lock: () => {
      openPanelAndFocus('review', '#review-note')
    },
    comment: () => {
      openPanelAndFocus('comments', '#panel textarea')
    },
    panel: () => openPanel(nextPanel),
    filter: () => {
      filter()
      focusLater('#rule-filter')
    },
    help,
  })
}

function nextPanel(openKey: string): string {
  const index = PANELS.findIndex((panel) => panel === findPanel(openKey))
  return PANELS[(Math.max(index, 0) + 1) % PANELS.length]?.key ?? openKey
}
