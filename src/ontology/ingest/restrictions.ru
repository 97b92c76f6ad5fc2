#+ summary: Each existential restriction on a published class becomes the direct statement that the views read.
# Released ontologies carry these statements already; ontology sources do not.
PREFIX d3f: <http://d3fend.mitre.org/ontologies/d3fend.owl#>
PREFIX owl: <http://www.w3.org/2002/07/owl#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>

INSERT { ?class ?relation ?filler }
WHERE {
  VALUES ?root {
    d3f:CommonAttackPattern d3f:DefensiveTactic d3f:DefensiveTechnique d3f:DigitalArtifact
    d3f:OffensiveTactic d3f:OffensiveTechnique d3f:Weakness
    d3f:ATTACKICSTechnique d3f:ATTACKMobileTechnique d3f:ATLASTechnique d3f:SPARTATechnique
  }
  ?class rdfs:subClassOf+ ?root ;
    rdfs:subClassOf ?restriction .
  ?restriction owl:onProperty ?relation ;
    owl:someValuesFrom ?filler .
  ?relation rdfs:subPropertyOf* d3f:may-be-associated-with .
  FILTER(?class != ?root && isIRI(?class) && isIRI(?relation) && isIRI(?filler))
}
