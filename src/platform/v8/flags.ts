import { setFlagsFromString } from 'node:v8'

const HEAP_GROWTH_PERCENT = 25

/** On a large machine, V8 lets the heap grow to several times what is in use before it collects garbage. */
export function growHeapSlowly(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
}

/**
 * V8 of Node 20 sometimes ends the process when it deoptimises code with inlined calls of WebAssembly
 * (`Deoptimizer::DoComputeBuiltinContinuation`: unreachable code).
 */
export function disableInlinedWasmCalls(): void {
  setFlagsFromString('--no-turbo-inline-js-wasm-calls')
}
