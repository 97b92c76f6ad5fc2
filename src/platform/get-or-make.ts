/** A map or a cache. */
interface Store<K, V> {
  get(key: K): V | undefined
  set(key: K, value: NoInfer<V>): unknown
}

/** Returns the value under a key. Makes and stores it if there is none. */
export function getOrMake<K, V>(store: Store<K, V>, key: K, make: () => NoInfer<V>): V {
  const stored = store.get(key)
  if (stored !== undefined) return stored
  const value = make()
  store.set(key, value)
  return value
}
