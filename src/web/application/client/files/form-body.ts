import { checkFile, type FileKind } from './checked-file.ts'

interface FormBody<T> {
  /** The types have the name of the file; what is sent is the form. */
  readonly body: T & { readonly file: string }
  readonly bodySerializer: () => FormData
}

/** A file with what is said of it, as a form. Refused where there is no sense in sending it. */
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
