import { standardKeymap } from '@codemirror/commands'
import { EditorState } from '@codemirror/state'
import { EditorView, highlightSpecialChars, keymap } from '@codemirror/view'
import { createEditor, createState } from './editor.ts'
import { ruby } from './ruby.ts'

interface FieldDescription {
  readonly label: string
  /** Notes of the field; empty for none. */
  readonly notes: string
  readonly isInvalid: boolean
}

/** An editor that is used like a text area. */
export interface RubyEditor {
  value: string
  readonly describe: (description: FieldDescription) => void
  readonly focus: () => void
  readonly blur: () => void
  readonly setSelectionRange: (start: number, end: number) => void
  readonly destroy: () => void
}

/** Keys for the next and the previous field of the form, which CodeMirror would use on a Mac. */
const OF_FORM = /^(?:Cmd|Ctrl)-Arrow(?:Up|Down)$/
/** Without the tab key, which leaves the field, and without the keys that move lines, which open the next rule. */
const KEYS = standardKeymap.filter(({ mac }) => !OF_FORM.test(mac ?? ''))
const NOTES = 'notes'

/** Makes an editor of Ruby within a shadow tree of `host`. Labels and notes in the document do not reach into it. */
export function createRubyEditor(
  host: HTMLElement,
  options: { readonly text: string; readonly description: FieldDescription; readonly onTyped: (text: string) => void },
): RubyEditor {
  const root = host.attachShadow({ mode: 'open' })
  const notes = document.createElement('p')
  notes.id = NOTES
  notes.hidden = true
  root.append(notes)
  let { description } = options
  const extensions = [
    keymap.of(KEYS),
    ruby,
    highlightSpecialChars(),
    EditorState.tabSize.of(2),
    THEME,
    EditorView.contentAttributes.of(() => attributesFrom(description)),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) options.onTyped(state.doc.toString())
    }),
  ]
  const view = createEditor(root, options.text, extensions)
  const describe = (changed: FieldDescription): void => {
    description = changed
    notes.textContent = changed.notes
    view.dispatch({})
  }
  describe(description)
  return {
    get value() {
      return view.state.doc.toString()
    },
    /** As in a text area, this clears the history and fires no input event. */
    set value(text) {
      view.setState(createState(text, extensions))
    },
    describe,
    focus: () => {
      view.focus()
    },
    blur: () => {
      view.contentDOM.blur()
    },
    setSelectionRange: (anchor, head) => {
      view.dispatch({ selection: { anchor, head }, scrollIntoView: true })
    },
    destroy: () => {
      view.destroy()
    },
  }
}

function attributesFrom({ label, notes, isInvalid }: FieldDescription): Record<string, string> {
  return {
    'aria-label': label,
    ...(notes !== '' && { 'aria-describedby': NOTES }),
    ...(isInvalid && { 'aria-invalid': 'true' }),
    dir: 'ltr',
    tabindex: '0',
    spellcheck: 'false',
  }
}

/** The height of the text area that it replaces. */
const THEME = EditorView.theme({
  '&': { background: 'var(--bg)', maxBlockSize: '32rem', minBlockSize: '3rem', overflow: 'hidden', resize: 'vertical' },
  '.cm-scroller': { lineHeight: '1.25rem' },
  '.cm-line': { paddingInline: '0.625rem' },
  '&:has([aria-invalid])': { borderColor: 'var(--bad)', boxShadow: 'inset 3px 0 0 var(--bad)' },
  '@media print': { '&': { maxBlockSize: 'none' } },
})
