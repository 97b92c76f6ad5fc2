// Draws the pictures that other sites show next to links to the pages, into src/web/cards: npx tsx scripts/cards.ts
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { CHROMIUM } from '../test/support/programs.ts'

const FOLDER = 'src/web/cards'
const SIGN = readFileSync('src/web/application/icon.svg', 'utf8').replaceAll(/fill="[^"]*"/g, 'fill="#ffffff"')

/** Text and colour of each picture, by the name of its file. The colours are those of the pages. */
const CARDS = {
  technique: ['Defensive technique', '#1c6b3f'],
  tactic: ['Tactic', '#1f6273'],
  artifact: ['Digital artifact', '#5d4a91'],
  attack: ['Attack', '#b3261e'],
  weakness: ['Weakness', '#8c5300'],
  ontology: ['Ontology', '#454f5d'],
  benchmark: ['STIG or SRG', '#13458f'],
  rule: ['Rule', '#1a56b0'],
  cci: ['Control Correlation Identifier', '#1f6273'],
  control: ['Security control', '#1f6273'],
} as const

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
for (const [name, [text, colour]] of Object.entries(CARDS)) {
  await page.setContent(`<style>
    body { background: ${colour}; color: #ffffff; font-family: sans-serif; margin: 0; padding: 80px }
    svg { height: 96px; width: 96px }
    p { margin: 0; position: absolute; left: 80px }
    .brand { bottom: 72px; font-size: 40px }
    .kind { bottom: 150px; font-size: 84px; font-weight: bold; letter-spacing: -2px; line-height: 1.1; right: 80px }
  </style>${SIGN}<p class="kind">${text}</p><p class="brand">Parapet</p>`)
  await page.screenshot({ path: join(FOLDER, `${name}.png`) })
}
await browser.close()
