#+ summary: Texts have no blanks at their ends, as the authors' own query trims them: not those of several lines.
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>

DELETE { ?subject ?property ?text }
INSERT { ?subject ?property ?trimmed }
WHERE {
  ?subject ?property ?text .
  FILTER(isLiteral(?text) && (DATATYPE(?text) = xsd:string || LANG(?text) != ""))
  # Some texts end with blanks that are not in ASCII, and keep them.
  FILTER(REGEX(STR(?text), "^[ \\t\\r\\n]|[ \\t\\r\\n]$"))
  BIND(REPLACE(STR(?text), "^[ \\t\\r\\n]+|[ \\t\\r\\n]+$", "") AS ?bare)
  FILTER(!CONTAINS(?bare, "\n"))
  BIND(IF(LANG(?text) = "", ?bare, STRLANG(?bare, LANG(?text))) AS ?trimmed)
}
