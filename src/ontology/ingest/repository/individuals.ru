#+ summary: Whatever is an instance or is related by an object property is declared an individual, classes too (punning).
PREFIX owl: <http://www.w3.org/2002/07/owl#>

INSERT { ?individual a owl:NamedIndividual }
WHERE {
  {
    ?individual a ?class .
    ?class a owl:Class .
  }
  UNION
  {
    ?relation a owl:ObjectProperty .
    ?individual ?relation ?other .
  }
  UNION
  {
    ?relation a owl:ObjectProperty .
    ?other ?relation ?individual .
  }
  FILTER(isIRI(?individual))
}
