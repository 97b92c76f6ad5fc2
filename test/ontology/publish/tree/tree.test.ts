import { expect, it } from 'vitest'
import { planPinned } from '../../../../src/ontology/publish/tree/tree.ts'

function answerAt(path: string) {
  return { path, url: path, file: path.slice(1), releasePath: path, folder: path.replace(/[^/]*$/, '') }
}

const ANSWERS = ['/api/version.json', '/ontologies/current/d3fend.ttl', '/other.json'].map(answerAt)

it.each([
  ['1.0', ['/releases/1.0/api/version.json', '/ontologies/d3fend/1.0/d3fend.ttl']],
  ['current', ['/releases/current/api/version.json']],
])('The answers of release %s are below its version, and not at the address of the active one', (version, urls) => {
  expect(planPinned({ version, name: version }, ANSWERS).map(({ url }) => url)).toEqual(urls)
})
