import {
  autocompletion,
  completionKeymap,
  pickedCompletion,
  type Completion,
  type CompletionSource,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { sparql } from '@codemirror/legacy-modes/mode/sparql'
import { EditorState, Prec, StateEffect, StateField, type Extension, type TransactionSpec } from '@codemirror/state'
import { Decoration, EditorView, keymap, lineNumbers, type DecorationSet } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { suggestAt, type Suggestion, type Vocabulary } from './completion.ts'

interface QueryEditorOptions {
  readonly text: string
  readonly vocabulary: () => Vocabulary
  readonly onChange: (text: string) => void
  readonly onRun: () => void
  readonly onFocus: () => void
  /** Attributes of the field: its label, and what describes it. */
  readonly attributes: Readonly<Record<string, string>>
}

/** The place of an error; null: there is none. */
export const setFault = StateEffect.define<{ readonly from: number; readonly to: number } | null>()

/**
 * Makes an editor within the shadow tree of `host`. CodeMirror adopts its styles there as style sheets made by script,
 * which the Content-Security-Policy allows. In the document itself, it would write a `style` element, which it refuses.
 */
export function createQueryEditor(host: HTMLElement, options: QueryEditorOptions): EditorView {
  const root = host.attachShadow({ mode: 'open' })
  const { onRun, onChange, onFocus, text, attributes } = options
  const run = (): boolean => {
    onRun()
    return true
  }
  return new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
        history(),
        lineNumbers(),
        StreamLanguage.define(sparql),
        syntaxHighlighting(COLOURS),
        autocompletion({ override: [completionsFrom(options.vocabulary)], icons: false }),
        faults,
        LOOK,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of(attributes),
        typedOver,
        EditorView.updateListener.of(({ docChanged, focusChanged, view, state }) => {
          if (docChanged) onChange(state.doc.toString())
          if (focusChanged && view.hasFocus) onFocus()
        }),
      ],
    }),
  })
}

/**
 * Replaces selected text by what is typed. Chromium would keep the look of the selected text in a `style` attribute, which
 * the Content-Security-Policy refuses and reports.
 */
const typedOver = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { inputType, data } = event
    if (inputType !== 'insertText' || data === null || view.state.selection.main.empty) return false
    event.preventDefault()
    view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
    return true
  },
})

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
    const effect = effects.find((one) => one.is(setFault))
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
    const found = suggestAt(state.doc.toString(), pos, vocabulary())
    if (found === null && !explicit) return null
    const { from, items } = found ?? { from: pos, items: [] }
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

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--code-key)' },
  { tag: [tags.atom, tags.string, tags.url], color: 'var(--code-string)' },
  { tag: tags.variableName, color: 'var(--code-variable)' },
  { tag: tags.comment, color: 'var(--code-comment)' },
])

/** Takes every colour from the tokens of the page, so that it follows its theme. */
const LOOK = EditorView.theme({
  '&': {
    background: 'var(--bg-subtle)',
    border: '1px solid var(--edge)',
    borderRadius: 'var(--r2)',
    color: 'var(--text)',
    fontSize: 'var(--fs-small)',
  },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '2px' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    lineHeight: '1.55',
    maxBlockSize: '60vh',
    minBlockSize: '14rem',
    overflow: 'auto',
  },
  '.cm-content': { caretColor: 'var(--text)', paddingBlock: 'var(--s2)' },
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
