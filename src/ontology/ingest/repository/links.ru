#+ summary: Links are URIs, also where the authors wrote strings.
PREFIX d3f: <http://d3fend.mitre.org/ontologies/d3fend.owl#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>

DELETE { ?subject d3f:has-link ?text }
INSERT { ?subject d3f:has-link ?uri }
WHERE {
  ?subject d3f:has-link ?text .
  FILTER(DATATYPE(?text) = xsd:string)
  BIND(STRDT(STR(?text), xsd:anyURI) AS ?uri)
}
