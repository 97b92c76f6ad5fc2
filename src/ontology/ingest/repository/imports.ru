#+ summary: Headers of imported ontologies and the statements that import them are left out: a release is one ontology.
PREFIX owl: <http://www.w3.org/2002/07/owl#>

DELETE { ?ontology ?property ?value }
WHERE {
  VALUES ?root { <http://d3fend.mitre.org/ontologies/d3fend.owl> }
  ?ontology a owl:Ontology ;
    ?property ?value .
  FILTER(?ontology != ?root || ?property = owl:imports)
}
