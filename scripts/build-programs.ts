// Builds the programs for deployment: dist/main.js, dist/commands/ and their threads.
import { build } from 'rolldown'
import config from './rolldown.config.ts'

await build(config)
