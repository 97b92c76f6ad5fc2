import { panelNamed, PANELS } from '../panels/panel.ts'
import type { RuleLocation } from '../saving/kept.ts'
import { saverAt } from '../saving/use-saver.ts'
import type { Command } from './commands.ts'
import { focusLater, leaveField, stepField, stepInField, stepSection } from './fields.ts'
import { useKeys } from './use-keys.ts'

interface EditorActions {
  readonly step: (by: number) => unknown
  readonly help: () => void
  /** Shows the panel that is named for the one that is shown. */
  readonly show: (panel: (shown: string) => string) => unknown
  /** Before the filter of the list gets the focus. */
  readonly filter: () => void
  readonly place: () => RuleLocation
}

type Commands = Partial<Readonly<Record<Command, () => unknown>>>

const IN_FORM: Commands = {
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
export function useEditorKeys({ step, help, show, filter, place }: EditorActions): void {
  const open = (panel: string, selector: string): void => {
    show(() => panel)
    focusLater(selector)
  }
  useKeys({
    ...IN_FORM,
    next: () => stepInField(() => step(1)),
    previous: () => stepInField(() => step(-1)),
    save: () => saverAt(place())?.save(),
    review: () => {
      open('review', '#review-note')
    },
    lock: () => {
      open('review', '#review-note')
    },
    comment: () => {
      open('comments', '#panel textarea')
    },
    panel: () => show(nextPanel),
    filter: () => {
      filter()
      focusLater('#rule-filter')
    },
    help,
  })
}

function nextPanel(shown: string): string {
  const at = PANELS.findIndex((one) => one === panelNamed(shown))
  return PANELS[(Math.max(at, 0) + 1) % PANELS.length]?.key ?? shown
}
