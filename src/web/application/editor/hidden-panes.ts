import { ref, type Ref } from 'vue'

/** The key in local storage that lists the panes hidden beside the rule on this device. */
const NAME = 'parapet.editor.hidden'

type Pane = 'list' | 'panel'

function stored(): ReadonlySet<string> {
  return new Set((localStorage.getItem(NAME) ?? '').split(' '))
}

const hidden: Readonly<Record<Pane, Ref<boolean>>> = {
  list: ref(stored().has('list')),
  panel: ref(stored().has('panel')),
}

export function isHidden(pane: Pane): boolean {
  return hidden[pane].value
}

export function setHidden(pane: Pane, isNowHidden: boolean): void {
  hidden[pane].value = isNowHidden
  const names = (['list', 'panel'] as const).filter((name) => hidden[name].value)
  localStorage.setItem(NAME, names.join(' '))
}
