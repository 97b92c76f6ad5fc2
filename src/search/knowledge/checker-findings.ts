import { append } from '../../platform/append.ts'

/**
 * The findings that code checkers assign to weaknesses, by CWE number: the names of the rules of Find Security Bugs
 * (`findbugs.xml`) and Bandit (`issue.py`, its plugins and lists), and the calls and settings that the rules of gosec
 * (`issue.go`) look for. Messages of checkers name what stands in a program; CWE names are abstract. A weakness with many
 * findings has several lines.
 */
const FINDINGS = `
15: bean property injection; external config control
20: servlet parameter; servlet session id; servlet query string; JAX-WS endpoint; JAX-RS endpoint; Tapestry endpoint
20: Wicket endpoint; yaml load; xml etree; xml sax; xml expat; xml minidom; xml pulldom; lxml; xmlrpc
22: path traversal in; path traversal out; file upload filename; http.Dir served root; file inclusion by a variable
22: zip slip archive extraction; tarfile unsafe members; urllib urlopen scheme
78: command injection; subprocess popen with shell equals true; subprocess without shell; start process with a shell
78: start process with partial path; os.system; exec used; eval; paramiko calls; subprocess launched with variable
79: XSS request wrapper; XSS JSP print; JSP JSTL out; XSS servlet; Scala XSS Twirl; Scala XSS MVC API; Wicket XSS
79: Android WebView JavaScript enabled; mark safe; markupsafe markup; unescaped data in HTML templates
80: use of Mako templates; Django mark safe
88: HTTP request with a variable URL
89: SQL injection Vert.x, Turbine, JDO, JPA, JDBC, Spring JDBC, Android, Slick, Anorm; hardcoded SQL expressions
89: SQL string formatting; SQL string concatenation; Django extra used; Django RawSQL used; custom injection
90: LDAP injection; LDAP entry poisoning
93: SMTP header injection
94: script engine injection; SpEL injection; EL injection expression language; Seam log injection; OGNL injection
94: Groovy shell; template injection Velocity, Freemarker, Pebble; JSP XSLT; malicious XSLT; Flask debug true
94: Jinja2 autoescape false; logging config insecure listen
106: Struts form validation
113: HTTP response splitting
117: CRLF injection into logs; log injection
118: implicit memory aliasing in a range loop; slice bounds out of range
134: format string manipulation
155: linux commands wildcard injection
158: weak FilenameUtils method with a null byte
176: improper handling of Unicode
179: modification after validation
180: normalization after validation
190: integer overflow of strconv.Atoi; integer conversion overflow; Rat.SetString overflow
200: Scala sensitive data exposure; bind to all network interfaces; profiling endpoint pprof; headers kept on a redirect
203: unsafe hash equals; comparison of hashes in variable time
209: information exposure through an error message; stack trace printed
212: entity leak
235: HTTP parameter pollution
242: unsafe calls; package unsafe
259: hard code password; hardcoded password string; hardcoded password function argument; hardcoded password default
276: Android external file access; Android broadcast; Android world writable
276: poor file permissions of mkdir, chmod and WriteFile
284: httpoxy; CGI handler
287: ssh PublicKeyCallback
295: weak trust manager; weak hostname verifier; request with no certificate validation; verify=False
295: unverified context; InsecureSkipVerify; TLS session resumption; ssh no host key verification
297: insecure SMTP SSL
310: ESAPI encryptor; RSA keys below 2048 bits
315: cookie usage; sensitive data in a cookie
319: unencrypted socket; unencrypted server socket; telnetlib; ftplib; SNMP insecure version; SNMP weak cryptography
319: pyghmi IPMI
321: hard code key
322: ssh InsecureIgnoreHostKey
326: triple DES usage; RSA key size; Blowfish key size; padding oracle; weak cryptographic key
327: DES usage; ECB mode; null cipher; custom message digest; Hazelcast symmetric encryption; hashlib; ciphers
327: cipher modes; pycrypto; RC4; SSL with bad version; SSL with bad defaults; SSL with no version
327: blocklisted import crypto
328: weak message digest MD5; weak message digest SHA1; MD4; RIPEMD160
329: static IV; initialization vector
330: predictable random; pseudo-random generator
338: weak random number generator math/rand
346: CrossOriginProtection bypass pattern
352: CSRF protection disabled; unrestricted request mapping
353: cipher with no integrity
359: Android geolocation
367: symbolic link race of filepath.Walk
377: hardcoded tmp directory; mktemp; temporary file with a predictable path
400: ReDoS regular expression; request without timeout; Slowloris without ReadHeaderTimeout
400: ParseMultipartForm without a limit; context that is not cancelled
409: decompression bomb
494: Hugging Face unsafe download
499: secret fields that are marshaled to JSON, YAML, XML or TOML
501: trust boundary violation
502: object deserialization; deserialization gadget; Jackson unsafe deserialization; XMLDecoder; pickle; marshal; dill
502: shelve; jsonpickle; PyTorch load
539: persistent cookie
552: Struts file disclosure; Spring file disclosure; RequestDispatcher file disclosure
564: SQL injection Hibernate
601: unvalidated redirect; Play unvalidated redirect; Spring unvalidated redirect; URL rewriting
605: hardcoded bind to all interfaces 0.0.0.0
611: XXE SAXParser; XXE XMLReader; XXE document; XXE TransformerFactory; XXE SchemaFactory; XXE XMLStreamReader
611: XXE XPath; XXE validator
614: insecure cookie
643: XPath injection
676: net/http serve without timeouts
703: assert used; try except pass; try except continue; errors unhandled
704: bad hexadecimal conversion
732: overly permissive file permission; dangerous permission combination; set bad file permissions
749: Android WebView JavaScript interface
780: RSA without padding
798: hardcoded credentials
807: servlet header; servlet header Referer; servlet header User-Agent; servlet content type; servlet server name
838: Trojan source; bidirectional Unicode control characters
915: entity mass assignment
917: JSP include; JSP Spring eval
918: server-side request forgery; URLConnection; Play SSRF
942: permissive CORS
943: AWS query injection
1004: HttpOnly cookie
1204: hardcoded nonce; hardcoded IV`

const BY_WEAKNESS = new Map<string, string[]>()
for (const line of FINDINGS.trim().split('\n')) {
  const [number = '', findings = ''] = line.split(': ')
  append(BY_WEAKNESS, `CWE-${number}`, findings)
}

/** The findings of the record with this id, such as `CWE-22`; empty for all but weaknesses. */
export function findingsOf(id: string | null): string {
  return (BY_WEAKNESS.get(id ?? '') ?? []).join('; ')
}
