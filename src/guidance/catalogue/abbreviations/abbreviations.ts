/**
 * The pairs expand short forms (docs/contract.md, Abbreviations), as in MITRE Vulcan 2.3.7 (Apache-2.0; see NOTICE).
 * Keys in capitals are found in any letter case; so are the others.
 */
const PAIRS = `
RHEL=Red Hat Enterprise Linux
SLES=SUSE Linux Enterprise Server
OL=Oracle Linux
RHCOS=Red Hat CoreOS
UBI=Universal Base Image
FCOS=Fedora CoreOS
K8s=Kubernetes
OCP=OpenShift Container Platform
EKS=Elastic Kubernetes Service
AKS=Azure Kubernetes Service
GKE=Google Kubernetes Engine
ECS=Elastic Container Service
ROSA=Red Hat OpenShift Service on AWS
ARO=Azure Red Hat OpenShift
Win=Windows
WinSrv=Windows Server
MSSQL=Microsoft SQL Server
PG=PostgreSQL
MySQL=MySQL
MariaDB=MariaDB
FW=Firewall
IDS=Intrusion Detection System
IPS=Intrusion Prevention System
WAF=Web Application Firewall
VPN=Virtual Private Network
LB=Load Balancer
SIEM=Security Information and Event Management
SOAR=Security Orchestration Automation and Response
EDR=Endpoint Detection and Response
XDR=Extended Detection and Response
PAM=Privileged Access Management
IAM=Identity and Access Management
MFA=Multi-Factor Authentication
SSO=Single Sign-On
STIG=Security Technical Implementation Guide
SRG=Security Requirements Guide
GPOS=General Purpose Operating System
CCI=Control Correlation Identifier
SCAP=Security Content Automation Protocol
XCCDF=Extensible Configuration Checklist Description Format
OVAL=Open Vulnerability and Assessment Language
CAT=Category
IA=Information Assurance
ATO=Authority to Operate
RMF=Risk Management Framework
POAM=Plan of Action and Milestones
NIST=National Institute of Standards and Technology
FISMA=Federal Information Security Management Act
FedRAMP=Federal Risk and Authorization Management Program
HIPAA=Health Insurance Portability and Accountability Act
PCI=Payment Card Industry
SOC=System and Organization Controls
CIS=Center for Internet Security
VM=Virtual Machine
HV=Hypervisor
SAN=Storage Area Network
NAS=Network Attached Storage
DNS=Domain Name System
DHCP=Dynamic Host Configuration Protocol
NTP=Network Time Protocol
LDAP=Lightweight Directory Access Protocol
AD=Active Directory
SSH=Secure Shell
TLS=Transport Layer Security
SSL=Secure Sockets Layer
HTTPS=Hypertext Transfer Protocol Secure
SFTP=SSH File Transfer Protocol
SNMP=Simple Network Management Protocol`

/** Short forms with their expansions. */
export const ABBREVIATIONS: readonly (readonly [string, string])[] = PAIRS.trim()
  .split('\n')
  .map((pair) => {
    const [abbreviation = '', expansion = ''] = pair.split('=')
    return [abbreviation, expansion]
  })

const EXPANSIONS: ReadonlyMap<string, string> = new Map(
  ABBREVIATIONS.map(([abbreviation, expansion]) => [abbreviation.toUpperCase(), expansion]),
)

/** Expands a short form; returns undefined for other words. */
export function expansionOf(word: string): string | undefined {
  return EXPANSIONS.get(word.toUpperCase())
}
