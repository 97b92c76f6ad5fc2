/** Editors and the checker of types know components by themselves; other programs by this. */
declare module '*.vue' {
  import type { DefineComponent } from 'vue'
  const component: DefineComponent
  export default component
}
