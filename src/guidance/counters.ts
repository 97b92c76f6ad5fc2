// The door for what counts for several processes, which starts without the rest.
export { openCounters, type Counters } from './service/counters.ts'
