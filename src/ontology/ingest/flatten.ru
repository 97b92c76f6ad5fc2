#+ summary: Statements of named graphs (N-Quads, TriG) move to the default graph: a release is one graph.
INSERT { ?subject ?predicate ?object } WHERE { GRAPH ?graph { ?subject ?predicate ?object } } ;
DROP NAMED
