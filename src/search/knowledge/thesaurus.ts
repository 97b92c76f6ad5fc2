/**
 * Synonyms of the field that neither the ontology nor the table of abbreviations has. The names in a line are synonyms
 * of each other.
 */
const LINES = `
allowlist, whitelist
allowlisting, whitelisting
denylist, blacklist, blocklist
denylisting, blacklisting, blocklisting
adversary in the middle, man in the middle, MITM, AiTM
login, logon, sign in
logout, logoff, sign out
lockout, account locking
passphrase, password
multi-factor authentication, MFA, two-factor authentication, 2FA
one-time password, OTP
public key infrastructure, PKI
certificate authority, certification authority, CA
common access card, CAC, smart card, PIV card
cross-site scripting, XSS
cross-site request forgery, CSRF, XSRF
server-side request forgery, SSRF
XML external entity, XXE
SQL injection, SQLi
remote code execution, RCE
denial of service, DoS
distributed denial of service, DDoS
command and control, C2, C&C
antivirus, anti-virus, anti-malware, AV, virus scanner
data execution prevention, DEP, no execute, NX
address space layout randomization, ASLR
user account control, UAC
group policy object, GPO
server message block, SMB
remote desktop protocol, RDP
role-based access control, RBAC
discretionary access control, DAC
trusted platform module, TPM
hardware security module, HSM
file integrity monitoring, FIM
user behavior analytics, UBA, UEBA
data loss prevention, data leak prevention, DLP
full disk encryption, disk encryption, FDE
wireless LAN, WLAN, Wi-Fi
voice over IP, VoIP
universal serial bus, USB
Windows Remote Management, WinRM
Windows Management Instrumentation, WMI
Local Security Authority, LSA
key distribution center, KDC
personally identifiable information, PII
symbolic link, symlink
time synchronization, clock synchronization
time-out, timeout
screen saver, screensaver
setuid, suid
setgid, sgid
uppercase, upper-case, capital letter
lowercase, lower-case
privilege escalation, elevation of privilege
USB mass storage, USB stick, thumb drive, flash drive
session lock, screen lock
log server, syslog server
anomalous, atypical, unusual
hard-coded, hardcoded
unsuccessful logon, failed login
idle, inactive, dormant
passwordless sudo, sudo without password, NOPASSWD`

/** Short forms that people type; texts have the long form. */
const SHORT_FORMS = `
admin=administrator
app=application
auth=authentication
cert=certificate
config=configuration
creds=credentials
crypto=cryptography
db=database
dir=directory
dirs=directories
env=environment
perms=permissions
priv=privileged
privs=privileges
repo=repository
sync=synchronize
vuln=vulnerability
kube=Kubernetes
dotnet=.NET
postgres=PostgreSQL
win=Windows
mac=macOS
ipv4=IP version 4
ipv6=IP version 6`

/** Everyday phrases, each with a term that texts use instead. */
const EVERYDAY = `
nobody uses=inactive
nobody uses=unused
no longer used=inactive
no longer used=unused
not used=unused
nobody needs=unnecessary
not needed=unnecessary
wrong password=invalid logon attempt
wrong password=unsuccessful logon
without password=blank password
without password=null password
empty password=blank password
empty password=null password
without permission=unauthorized
turn on=enable
turned on=enable
switch on=enable
turn off=disable
turned off=disable
switch off=disable
start from=boot from
out of date=unsupported
outdated=unsupported
hacker=attacker
hacked=compromised
break in=intrusion
listen in=eavesdrop
listen in=sniffing
fake=spoofing
kick out=evict
throw out=evict
ping=ICMP echo
guess passwords=password guessing
plain text=cleartext
readable passwords=cleartext passwords
not encrypted=unencrypted
not encrypted=cleartext
no password=blank password
no password=null password
twice=double
age=lifetime
secrets=sensitive information
no longer supported=unsupported
no longer maintained=unsupported
end of life=unsupported
out of space=storage capacity
fill up=full
filled up=full
old account=inactive account
left the company=no longer associated
unattended=inactivity
fake site=phishing
fake web site=phishing
fake website=phishing
fake page=phishing
fake mail=phishing
fake email=phishing
listen to=eavesdrop
cover tracks=indicator removal
hide tracks=indicator removal
everyone can read=world-readable
everyone can write=world-writable
anyone can write=world-writable
who changed=audit record
who deleted=audit record
who did=audit record
restart=reboot
superuser=root
uid 0=root
stolen laptop=data at rest
lost laptop=data at rest
laptop stolen=data at rest
laptop lost=data at rest
dot dot slash=path traversal
two different factors=multi-factor
second factor=multi-factor`

/** Words of programmers, each with a term of CWE names (from the glossary and alternate terms of CWE). */
const PROGRAMMING = `
escape=neutralization
sanitize=neutralization
tainted=untrusted
unbounded=uncontrolled
unlimited=uncontrolled
exhaustion=uncontrolled resource consumption
disclosure=exposure
leak=exposure
filename=pathname
verify=validation
marshal=serialization
marshal=serializable
unmarshal=deserialization
pickle=deserialization
key size=encryption strength
key length=encryption strength
weak hash=risky cryptographic algorithm
MD5=risky cryptographic algorithm
pseudorandom=insufficiently random
subprocess=OS command
try except=exceptional conditions
try catch=exceptional conditions
temp file=temporary file`

/** The names of each line. */
export const THESAURUS = partsOf(LINES, ', ')
/** Pairs of a short form and its long form. */
export const SHORTENED = partsOf(SHORT_FORMS, '=')
/** Pairs of an everyday phrase and a term. */
export const EVERYDAY_TERMS = partsOf(EVERYDAY + PROGRAMMING, '=')

function partsOf(lines: string, between: string): readonly (readonly string[])[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => line.split(between))
}
