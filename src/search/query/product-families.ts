import { wordsOf } from '../../platform/words.ts'

/**
 * Words that name a vendor or a platform and hardly ever a subject, such as those in titles of DISA's STIG library
 * (public.cyber.mil/stigs/downloads). A word that rules also speak of, such as "server" or "network", is not among
 * them.
 */
export const PRODUCT_FAMILIES: ReadonlySet<string> = new Set(
  wordsOf(`
    acf2 adobe aix almalinux amazon android apache apple arista aruba blackberry centos chrome cisco cloudlinux couchbase
    debian dell docker edb esxi fedora firefox forescout fortigate fortinet google hpe ibm iis infoblox ios ipados
    ivanti jboss juniper junos kubernetes linux macos mariadb mcafee microsoft mongodb mozilla mysql netapp netgear nginx nutanix
    okta openshift oracle postgres postgresql racf rancher rhel redis redhat riverbed samsung sharepoint sles solaris splunk suse
    symantec tanium tippingpoint tomcat trellix ubuntu unix vcenter vmware vsphere weblogic websphere windows
  `),
)
