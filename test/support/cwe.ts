import type { Database } from '../../src/guidance/database/database.ts'
import { storeReference } from './reference-data.ts'

/** A made-up CWE list in the form of MITRE (cwe_schema 7). */
export function cweCatalog({ version = '4.17', date = '2025-04-03', extra = '' } = {}): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Weakness_Catalog Name="CWE" Version="${version}" Date="${date}" xmlns="http://cwe.mitre.org/cwe-7"
  xmlns:xhtml="http://www.w3.org/1999/xhtml">
<Weaknesses>
<Weakness ID="901" Name="Tea Without Water" Abstraction="Base" Structure="Simple" Status="Stable">
  <Description>The pot has no
    water.</Description>
  <Extended_Description><xhtml:p>Leaves burn.</xhtml:p><xhtml:ul><xhtml:li>black</xhtml:li><xhtml:li>green</xhtml:li></xhtml:ul></Extended_Description>
  <Related_Weaknesses>
    <Related_Weakness Nature="ChildOf" CWE_ID="902" View_ID="1000" Ordinal="Primary"/>
  </Related_Weaknesses>
  <Applicable_Platforms>
    <Language Class="Not Language-Specific" Prevalence="Undetermined"/>
    <Operating_System Name="Kettle OS" Prevalence="Often"/>
  </Applicable_Platforms>
  <Alternate_Terms><Alternate_Term><Term>Dry Tea</Term><Description>Said in inns.</Description></Alternate_Term></Alternate_Terms>
  <Modes_Of_Introduction><Introduction><Phase>Implementation</Phase><Note>In haste.</Note></Introduction></Modes_Of_Introduction>
  <Likelihood_Of_Exploit>High</Likelihood_Of_Exploit>
  <Common_Consequences><Consequence><Scope>Integrity</Scope><Scope>Availability</Scope><Impact>Burnt Pot</Impact><Note>It smells.</Note></Consequence></Common_Consequences>
  <Detection_Methods><Detection_Method><Method>Smelling</Method><Description>Sniff.</Description><Effectiveness>High</Effectiveness></Detection_Method></Detection_Methods>
  <Potential_Mitigations><Mitigation><Phase>Operation</Phase><Strategy>Looking</Strategy><Description><xhtml:p>Look first.</xhtml:p></Description></Mitigation></Potential_Mitigations>
  <Observed_Examples><Observed_Example><Reference>CVE-2026-0001</Reference><Description>A pot.</Description><Link>https://example.org/CVE-2026-0001</Link></Observed_Example></Observed_Examples>
  <Taxonomy_Mappings><Taxonomy_Mapping Taxonomy_Name="Teas"><Entry_ID>T1</Entry_ID><Entry_Name>Dry</Entry_Name><Mapping_Fit>Exact</Mapping_Fit></Taxonomy_Mapping></Taxonomy_Mappings>
  <Related_Attack_Patterns><Related_Attack_Pattern CAPEC_ID="209"/></Related_Attack_Patterns>
  <Mapping_Notes><Usage>Allowed</Usage><Rationale>It is a base.</Rationale><Comments>Read it.</Comments></Mapping_Notes>
  <Notes><Note Type="Maintenance">To be stirred.</Note></Notes>
</Weakness>
<Weakness ID="902" Name="Odd Tea" Abstraction="Class" Structure="Simple" Status="Draft">
  <Description>Tea that is odd.</Description>
</Weakness>
<Weakness ID="903" Name="DEPRECATED: Waterless Tea" Abstraction="Base" Structure="Simple" Status="Deprecated">
  <Description>This entry was a duplicate of CWE-901. CWE-903 must not be used.</Description>
  <Mapping_Notes><Usage>Prohibited</Usage><Suggestions><Suggestion CWE_ID="902" Comment="The class"/></Suggestions></Mapping_Notes>
</Weakness>
${extra}</Weaknesses>
<Categories><Category ID="910" Name="Pots" Status="Draft"><Summary>About pots.</Summary>
  <Relationships><Has_Member CWE_ID="901" View_ID="920"/></Relationships></Category></Categories>
<Views><View ID="920" Name="Teas" Type="Graph" Status="Stable"><Objective>All teas.</Objective>
  <Members><Has_Member CWE_ID="910" View_ID="920"/></Members></View></Views>
<External_References><External_Reference Reference_ID="REF-1"><Title>Tea</Title></External_Reference></External_References>
</Weakness_Catalog>`
}

const COLUMNS =
  'CWE-ID,Name,Weakness Abstraction,Status,Description,Extended Description,Related Weaknesses,' +
  'Weakness Ordinalities,Applicable Platforms,Background Details,Alternate Terms,Modes Of Introduction,' +
  'Exploitation Factors,Likelihood of Exploit,Common Consequences,Detection Methods,Potential Mitigations,' +
  'Observed Examples,Functional Areas,Affected Resources,Taxonomy Mappings,Related Attack Patterns,Notes,'

/** The CSV of a view with the weakness CWE-901 as above; a CSV has fewer fields. */
export function cweView(id = '901'): string {
  const cells = [
    id,
    'Tea Without Water',
    'Base',
    'Stable',
    'The pot has no water.',
    'Leaves burn.\nblack\ngreen',
    '::NATURE:ChildOf:CWE ID:902:VIEW ID:1000:ORDINAL:Primary::',
    '::ORDINALITY:Primary::',
    '::LANGUAGE CLASS:Not Language-Specific:LANGUAGE PREVALENCE:Undetermined::OPERATING SYSTEM NAME:Kettle OS:OPERATING SYSTEM PREVALENCE:Often::',
    '::Tea is old.::',
    '::TERM:Dry Tea:DESCRIPTION:Said in inns.::',
    '::PHASE:Implementation:NOTE:In haste.::',
    '',
    'High',
    '::SCOPE:Integrity:SCOPE:Availability:IMPACT:Burnt Pot:NOTE:It smells: see std::tea.::',
    '::METHOD:Smelling:DESCRIPTION:Sniff.:EFFECTIVENESS:High::',
    '::PHASE:Operation:STRATEGY:Looking:DESCRIPTION:Look first.::',
    '::REFERENCE:CVE-2026-0001:DESCRIPTION:A "pot".:LINK:https://example.org/CVE-2026-0001::',
    '::Kitchen::',
    '::Pot::Fire::',
    '::TAXONOMY NAME:Teas:ENTRY ID:T1:ENTRY NAME:Dry:MAPPING FIT:Exact::',
    '::209::588::',
    '::TYPE:Maintenance:NOTE:To be stirred.::',
  ]
  const row = cells.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')
  return `${COLUMNS}\n${row},\n`
}

/** Stores CWE in a database. */
export function storeCwe(database: Database, document = cweCatalog()): Promise<string> {
  return storeReference(database, 'cwe', document)
}
