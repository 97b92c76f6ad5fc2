import { history, historyKeymap } from '@codemirror/commands'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/**
 * Makes an editor within a shadow tree, where CodeMirror adopts its styles as constructed style sheets, which the
 * Content-Security-Policy allows. In the document itself it would write a `style` element, which is refused.
 */
export function createEditor(root: ShadowRoot, text: string, extensions: Extension): EditorView {
  return new EditorView({ root, parent: root, state: createState(text, extensions) })
}

/** A state without a history to undo. */
export function createState(text: string, extensions: Extension): EditorState {
  const common = [history(), keymap.of(historyKeymap), syntaxHighlighting(COLOURS), THEME, typedOver]
  return EditorState.create({ doc: text, extensions: [extensions, common] })
}

/**
 * Replaces selected text when people type over it. Chromium would keep the look of the selected text in a `style`
 * attribute, which the Content-Security-Policy refuses and reports.
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

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--code-key)' },
  { tag: [tags.atom, tags.string, tags.url], color: 'var(--code-string)' },
  { tag: tags.variableName, color: 'var(--code-variable)' },
  { tag: tags.comment, color: 'var(--code-comment)' },
])

/** Takes every colour from the tokens of the page, so that it follows its theme. */
const THEME = EditorView.theme({
  '&': {
    border: '1px solid var(--edge)',
    borderRadius: 'var(--r2)',
    color: 'var(--text)',
    fontSize: 'var(--fs-small)',
  },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)', paddingBlock: 'var(--s2)' },
})
