interface Kept<K, V> {
  get(key: K): V | undefined
  set(key: K, value: NoInfer<V>): unknown
}

/** What a map or a cache keeps under a key. What is missing is made and kept. */
export function getOrMake<K, V>(kept: Kept<K, V>, key: K, make: () => NoInfer<V>): V {
  const known = kept.get(key)
  if (known !== undefined) return known
  const made = make()
  kept.set(key, made)
  return made
}
