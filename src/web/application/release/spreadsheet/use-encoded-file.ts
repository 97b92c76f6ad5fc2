import { ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue'
import { chosenFiles } from '../../client/files/chosen-files.ts'
import type { Encoding } from './encodings.ts'

interface EncodedFile {
  readonly file: ShallowRef<File | null>
  /** Empty: the service finds it. */
  readonly encoding: Ref<Encoding | ''>
  readonly choose: (event: Event) => Promise<void>
}

/** A chosen file, which is read, and read again when another encoding is chosen. */
export function useEncodedFile(readFile: () => Promise<void>): EncodedFile {
  const file = shallowRef<File | null>(null)
  const encoding = ref<Encoding | ''>('')

  async function choose(event: Event): Promise<void> {
    file.value = chosenFiles(event)[0] ?? null
    encoding.value = ''
    await readFile()
  }

  watch(encoding, async (name) => {
    if (name !== '') await readFile()
  })
  return { file, encoding, choose }
}
