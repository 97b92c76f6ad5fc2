// Shows the matrix as one column per tactic; everything comes from the public API.

const status = document.getElementById('status')

try {
  const [version, matrix] = await Promise.all([read('/api/version.json'), read('/api/matrix.json')])
  const date = version.release_date.slice(0, 10)
  document.getElementById('release').textContent = `Ontology ${version.version}, ${date}`
  document.getElementById('matrix').replaceChildren(...matrix.map(tacticColumn))
} catch (error) {
  status.textContent = `The matrix cannot be shown: ${error.message}`
}

async function read(path) {
  const response = await fetch(path)
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.detail)
  return answer
}

function tacticColumn(tactic) {
  const column = element('section')
  const link = element('a', tactic['rdfs:label'] ?? tactic['@id'])
  link.href = `/api/tactic/${encodeURIComponent(tactic['@id'])}.json`
  const heading = element('h3')
  heading.append(link)
  column.append(heading, techniqueList(tactic.children))
  return column
}

function techniqueList(techniques) {
  const list = element('ul')
  list.append(...techniques.map(techniqueItem))
  return list
}

function techniqueItem(technique) {
  const item = element('li')
  const link = element('a', technique['rdfs:label'] ?? technique['@id'])
  link.href = `/api/technique/${encodeURIComponent(technique['@id'])}.json`
  link.title = technique['d3f:definition'] ?? ''
  item.append(link)
  if (technique.children !== undefined) item.append(techniqueList(technique.children))
  return item
}

function element(name, text = '') {
  const created = document.createElement(name)
  created.textContent = text
  return created
}
