interface FormBody<T> {
  /** The types have the name of the file; what is sent is the form. */
  readonly body: T & { readonly file: string }
  readonly bodySerializer: () => FormData
}

/** A file with what is said of it, as a form. */
export function formBody<T extends object>(file: File, said: T): FormBody<T> {
  return {
    body: { ...said, file: '' },
    bodySerializer: () => {
      const form = new FormData()
      for (const [name, value] of Object.entries(said))
        if (value !== undefined) form.append(name, String(value))
      form.append('file', file)
      return form
    },
  }
}
