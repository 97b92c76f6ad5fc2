declare module 'prom-client/lib/metrics/*.js' {
  import type { Registry } from 'prom-client'

  const collect: (registry: Registry, config: { readonly eventLoopMonitoringPrecision: number }) => void
  export default collect
}
