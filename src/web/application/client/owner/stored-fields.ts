import { computed, watch } from 'vue'
import { useRoute } from 'vue-router'
import { usePerson } from '../person.ts'

const KEY_PREFIX = 'parapet.form.'

interface FieldStorage {
  readonly storage: Storage
  /** Beginning of the storage key; the person and the name follow. */
  readonly prefix: string
  readonly name: () => string
}

/**
 * Keeps what somebody types through a reload and the end of a session, under who types it. It is forgotten when all
 * is again as it was at the beginning, and by what is returned. `fields` is reactive and flat, of values that JSON has.
 */
export function useStoredFieldsIn(fields: object, { storage, prefix, name }: FieldStorage): () => void {
  const { person } = usePerson()
  /** After the end of their session, it is still theirs. */
  const writer = computed<number | null>((before) => before ?? person.value?.id ?? null)
  const written = (): string => JSON.stringify(fields)
  let initial = written()
  /** Null until it is known who types. */
  let key: string | null = null

  function forget(): void {
    if (key !== null) storage.removeItem(key)
  }

  function keep(text: string): void {
    if (key === null) return
    try {
      if (text === initial) forget()
      else storage.setItem(key, text)
    } catch {
      // The browser keeps nothing; what is typed is still in the field.
    }
  }

  watch(
    [writer, name, written],
    ([who, now, text], [, before]) => {
      // Other fields of the same form begin as they are now.
      if (before !== undefined && before !== now) initial = text
      const last = key
      key = who === null ? null : `${prefix}${who}.${now}`
      if (key !== null && key !== last && text === initial)
        Object.assign(fields, readStored(storage.getItem(key), fields))
      else keep(text)
    },
    { immediate: true },
  )
  return forget
}

/**
 * Keeps the fields of a form in this window until it is sent or the person signs out. Never use it for passwords and
 * other secrets.
 */
export function useStoredFields(name: () => string, fields: object): () => void {
  const { path } = useRoute()
  return useStoredFieldsIn(fields, {
    storage: sessionStorage,
    prefix: KEY_PREFIX,
    name: () => `${path}#${name()}`,
  })
}

/** When somebody signs out, and may leave the window to somebody else. */
export function forgetForms(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(KEY_PREFIX)) sessionStorage.removeItem(key)
}

/** Reads stored fields that still exist and have the same type. */
function readStored(text: string | null, fields: object): object {
  const now = new Map(Object.entries(fields))
  return Object.fromEntries(
    Object.entries(parseFields(text)).filter(
      ([name, value]: [string, unknown]) => now.has(name) && isLike(value, now.get(name)),
    ),
  )
}

function isLike(one: unknown, other: unknown): boolean {
  return one === null || other === null || typeof one === typeof other
}

function parseFields(text: string | null): object {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
