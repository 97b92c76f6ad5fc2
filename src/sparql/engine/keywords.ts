/** Words of SPARQL 1.1 queries (§19.8), but for `GRAPH` and `SERVICE`. Engines have more, which do anything. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  ...['A', 'TRUE', 'FALSE', 'BASE', 'PREFIX', 'SELECT', 'ASK', 'CONSTRUCT', 'DESCRIBE', 'DISTINCT'],
  ...['REDUCED', 'AS', 'FROM', 'NAMED', 'WHERE', 'ORDER', 'BY', 'ASC', 'DESC', 'GROUP', 'HAVING'],
  ...['LIMIT', 'OFFSET', 'VALUES', 'UNDEF', 'OPTIONAL', 'UNION', 'MINUS', 'FILTER', 'BIND', 'IN'],
  ...['NOT', 'EXISTS', 'COUNT', 'SUM', 'MIN', 'MAX', 'AVG', 'SAMPLE', 'GROUP_CONCAT', 'SEPARATOR'],
  ...['STR', 'LANG', 'LANGMATCHES', 'DATATYPE', 'BOUND', 'IRI', 'URI', 'BNODE', 'RAND', 'ABS'],
  ...['CEIL', 'FLOOR', 'ROUND', 'CONCAT', 'STRLEN', 'UCASE', 'LCASE', 'ENCODE_FOR_URI', 'CONTAINS'],
  ...['STRSTARTS', 'STRENDS', 'STRBEFORE', 'STRAFTER', 'YEAR', 'MONTH', 'DAY', 'HOURS', 'MINUTES'],
  ...['SECONDS', 'TIMEZONE', 'TZ', 'NOW', 'UUID', 'STRUUID', 'MD5', 'SHA1', 'SHA256', 'SHA384'],
  ...['SHA512', 'COALESCE', 'IF', 'STRLANG', 'STRDT', 'SAMETERM', 'ISIRI', 'ISURI', 'ISBLANK'],
  ...['ISLITERAL', 'ISNUMERIC', 'REGEX', 'SUBSTR', 'REPLACE'],
])
