import { checkFile, type FileKind } from './checked-file.ts'

interface FormBody<T> {
  /** The generated types expect the file as text; the form is sent instead. */
  readonly body: T & { readonly file: string }
  readonly bodySerializer: () => FormData
}

/** A form with a file and its options. Refuses files that the service would refuse. */
export async function formBody<T extends object>(kind: FileKind, file: File, fields: T): Promise<FormBody<T>> {
  await checkFile(file, kind)
  return {
    body: { ...fields, file: '' },
    bodySerializer: () => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, String(value))
      form.append('file', file)
      return form
    },
  }
}
