/** For programs that do not know Vue components; editors and vue-tsc do. */
declare module '*.vue' {
  import type { DefineComponent } from 'vue'
  const component: DefineComponent
  export default component
}
