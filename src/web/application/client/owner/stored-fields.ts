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
 * Stores typed fields by person, through a reload and the end of a session. They are forgotten when all have their
 * initial values again, and by the returned function. `fields` is reactive and flat, with values of JSON.
 */
export function useStoredFieldsIn(fields: object, { storage, prefix, name }: FieldStorage): () => void {
  const { person } = usePerson()
  /** The owner keeps the fields after the end of the session. */
  const writer = computed<number | null>((before) => before ?? person.value?.id ?? null)
  const serialise = (): string => JSON.stringify(fields)
  let initial = serialise()
  /** Null until the person is known. */
  let key: string | null = null

  function forget(): void {
    if (key !== null) storage.removeItem(key)
  }

  function store(text: string): void {
    if (key === null) return
    try {
      if (text === initial) forget()
      else storage.setItem(key, text)
    } catch {
      // Without storage, the text is only in the field.
    }
  }

  watch(
    [writer, name, serialise],
    ([personId, newName, text], [, nameBefore]) => {
      // Under another name, the current values are the initial ones.
      if (nameBefore !== undefined && nameBefore !== newName) initial = text
      const keyBefore = key
      key = personId === null ? null : `${prefix}${personId}.${newName}`
      if (key !== null && key !== keyBefore && text === initial)
        Object.assign(fields, readStored(storage.getItem(key), fields))
      else store(text)
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

/** Removes all stored fields at a sign-out, because another person may use the window next. */
export function forgetForms(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(KEY_PREFIX)) sessionStorage.removeItem(key)
}

/** Reads stored fields that still exist and have the same type. */
function readStored(text: string | null, fields: object): object {
  const current = new Map(Object.entries(fields))
  return Object.fromEntries(
    Object.entries(parseFields(text)).filter(
      ([name, value]: [string, unknown]) => current.has(name) && isLike(value, current.get(name)),
    ),
  )
}

function isLike(stored: unknown, current: unknown): boolean {
  return stored === null || current === null || typeof stored === typeof current
}

function parseFields(text: string | null): object {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
