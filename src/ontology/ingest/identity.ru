#+ summary: States version, its IRI and release date once, on the node that stands for the ontology.
PREFIX d3f: <http://d3fend.mitre.org/ontologies/d3fend.owl#>
PREFIX owl: <http://www.w3.org/2002/07/owl#>

DELETE { ?other ?property ?value }
WHERE {
  VALUES ?property { owl:versionInfo owl:versionIRI d3f:release-date }
  ?other a owl:Ontology ;
    ?property ?value .
} ;
INSERT {
  ?ontology a owl:Ontology ;
    owl:versionInfo ?version ;
    owl:versionIRI ?version_iri ;
    d3f:release-date ?date .
}
WHERE {
  VALUES ?ontology { <http://d3fend.mitre.org/ontologies/d3fend.owl> }
  VALUES ?version_iri { <http://d3fend.mitre.org/ontologies/d3fend/1.0.0/d3fend.owl> }
  VALUES ?version { "1.0.0" }
  VALUES ?date { "2026-01-01T00:00:00.000Z"^^<http://www.w3.org/2001/XMLSchema#dateTime> }
}
