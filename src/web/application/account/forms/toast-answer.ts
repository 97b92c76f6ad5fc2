/** An answer of the API that confirms a change. */
export interface ToastAnswer {
  readonly toast: { readonly title: string; readonly message: string }
}
