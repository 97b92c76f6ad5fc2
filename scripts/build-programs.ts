// The programs as they are deployed: dist/main.js, dist/commands/ and their threads.
import { build } from 'rolldown'
import config from './rolldown.config.ts'

await build(config)
