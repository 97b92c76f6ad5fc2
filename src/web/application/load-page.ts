import type { Component } from 'vue'

/** Loads a page when somebody first goes there. */
export type LoadPage = () => Promise<{ readonly default: Component }>
