import {
  autocompletion,
  completionKeymap,
  pickedCompletion,
  type Completion,
  type CompletionSource,
} from '@codemirror/autocomplete'
import { defaultKeymap } from '@codemirror/commands'
import { StreamLanguage } from '@codemirror/language'
import { sparql } from '@codemirror/legacy-modes/mode/sparql'
import { Prec, StateEffect, StateField, type Extension, type TransactionSpec } from '@codemirror/state'
import { Decoration, EditorView, keymap, lineNumbers, type DecorationSet } from '@codemirror/view'
import { createEditor } from '../../../parts/code/editor.ts'
import { suggestAt, type Suggestion, type Vocabulary } from './completion.ts'

interface QueryEditorOptions {
  readonly text: string
  readonly vocabulary: () => Vocabulary
  readonly onChange: (text: string) => void
  readonly onRun: () => void
  readonly onFocus: () => void
  /** Attributes of the field: its label and its description. */
  readonly attributes: Readonly<Record<string, string>>
}

/** The place of an error; null if there is none. */
export const setFault = StateEffect.define<{ readonly from: number; readonly to: number } | null>()

/** Makes an editor of queries within a shadow tree of `host`. */
export function createQueryEditor(host: HTMLElement, options: QueryEditorOptions): EditorView {
  const root = host.attachShadow({ mode: 'open' })
  const { onRun, onChange, onFocus, text, attributes } = options
  const run = (): boolean => {
    onRun()
    return true
  }
  return createEditor(root, text, [
    Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
    keymap.of([...completionKeymap, ...defaultKeymap]),
    lineNumbers(),
    StreamLanguage.define(sparql),
    autocompletion({ override: [completionsFrom(options.vocabulary)], icons: false }),
    faults,
    THEME,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of(attributes),
    EditorView.updateListener.of(({ docChanged, focusChanged, view, state }) => {
      if (docChanged) onChange(state.doc.toString())
      if (focusChanged && view.hasFocus) onFocus()
    }),
  ])
}

/** Replaces the whole text, as one step that can be undone. */
export function replaceText(view: EditorView, text: string): void {
  if (view.state.doc.toString() === text) return
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
}

const faultMark = Decoration.mark({ class: 'fault' })
const faultLine = Decoration.line({ class: 'fault-line' })

/** Marks the line and the token of an error until the text is changed. */
const faults: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, { effects, docChanged, state }) => {
    const effect = effects.find((candidate) => candidate.is(setFault))
    if (effect === undefined) return docChanged ? Decoration.none : marks
    if (effect.value === null) return Decoration.none
    const { from, to } = effect.value
    const line = faultLine.range(state.doc.lineAt(from).from)
    return Decoration.set(to > from ? [line, faultMark.range(from, to)] : [line])
  },
  provide: (field) => EditorView.decorations.from(field),
})

function completionsFrom(vocabulary: () => Vocabulary): CompletionSource {
  return ({ state, pos, explicit }) => {
    const suggestions = suggestAt(state.doc.toString(), pos, vocabulary())
    if (suggestions === null && !explicit) return null
    const { from, items } = suggestions ?? { from: pos, items: [] }
    const options = items.map((item) => ({
      label: item.label,
      type: item.kind,
      detail: item.detail,
      apply: (view: EditorView, completion: Completion, begin: number, end: number) => {
        const spec = insertion(item, { from: begin, to: end })
        view.dispatch({ ...spec, annotations: pickedCompletion.of(completion) })
      },
    }))
    return { from, options, validFor: /^[?$<]?[\w:.-]*$/ }
  }
}

/** Inserts a suggestion, and the declaration that it needs at the top. */
function insertion(
  { label, insert = label, declaration = '' }: Suggestion,
  range: { readonly from: number; readonly to: number },
): TransactionSpec {
  const changes = [
    { from: 0, insert: declaration },
    { ...range, insert },
  ]
  return {
    changes,
    selection: { anchor: range.from + insert.length + declaration.length },
    userEvent: 'input.complete',
  }
}

/** The parts of the editor that a field of code does not have. */
const THEME = EditorView.theme({
  '&': { background: 'var(--bg-subtle)' },
  '.cm-scroller': { lineHeight: '1.55', maxBlockSize: '60vh', minBlockSize: '14rem' },
  '.cm-gutters': { background: 'none', border: '0', color: 'var(--text-3)' },
  '.cm-lineNumbers .cm-gutterElement': { minInlineSize: '2.5rem', paddingInlineEnd: 'var(--s3)' },
  '.fault-line': { background: 'var(--bad-soft)' },
  '.fault': { textDecoration: 'underline wavy var(--bad)' },
  '.cm-tooltip': {
    background: 'var(--bg)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--r2)',
    boxShadow: 'var(--shadow)',
    color: 'var(--text)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxInlineSize: '90vw' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.125rem var(--s2)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--bg-selected)',
    color: 'var(--accent)',
  },
  '.cm-completionDetail': { color: 'var(--text-3)', fontStyle: 'normal' },
})
