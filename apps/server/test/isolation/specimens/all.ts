import { auditSpecimens, otherAuditSpecimens } from './audit.ts'
import { financeSpecimens } from './finance.ts'
import { contentSpecimens, otherContentSpecimens } from './content.ts'
import { feedSpecimens, otherFeedSpecimens } from './feeds.ts'
import { fleetSpecimens, otherFleetSpecimens } from './fleet.ts'
import { geographySpecimens, otherGeographySpecimens } from './geography.ts'
import { identitySpecimens, otherIdentitySpecimens } from './identity.ts'
import { lookupSpecimens, otherLookupSpecimens } from './lookup.ts'
import { marketingSpecimens, otherMarketingSpecimens } from './marketing.ts'
import { noticeSpecimens, otherNoticeSpecimens } from './notices.ts'
import { operationsSpecimens, otherOperationsSpecimens } from './operations.ts'
import { organisationSpecimens, otherOrganisationSpecimens } from './organisation.ts'
import { otherProductionSpecimens, productionSpecimens } from './production.ts'
import { otherReportSpecimens, reportSpecimens } from './reports.ts'
import { otherRiderSpecimens, riderSpecimens } from './rider.ts'
import { otherRidingSpecimens, ridingSpecimens } from './riding.ts'
import { otherSupportSpecimens, supportSpecimens } from './support.ts'
import type { OtherSpecimens, Specimens } from './specimen.ts'

/** One per call: a new call does not compile without one. */
export const specimens: Specimens = {
  ...identitySpecimens,
  ...auditSpecimens,
  ...organisationSpecimens,
  ...fleetSpecimens,
  ...operationsSpecimens,
  ...riderSpecimens,
  ...ridingSpecimens,
  ...geographySpecimens,
  ...financeSpecimens,
  ...marketingSpecimens,
  ...contentSpecimens,
  ...supportSpecimens,
  ...productionSpecimens,
  ...reportSpecimens,
  ...noticeSpecimens,
  ...feedSpecimens,
  ...lookupSpecimens,
}

export const otherSpecimens: OtherSpecimens = {
  ...otherIdentitySpecimens,
  ...otherAuditSpecimens,
  ...otherOrganisationSpecimens,
  ...otherFleetSpecimens,
  ...otherOperationsSpecimens,
  ...otherRiderSpecimens,
  ...otherRidingSpecimens,
  ...otherGeographySpecimens,
  ...otherMarketingSpecimens,
  ...otherContentSpecimens,
  ...otherProductionSpecimens,
  ...otherReportSpecimens,
  ...otherSupportSpecimens,
  ...otherNoticeSpecimens,
  ...otherFeedSpecimens,
  ...otherLookupSpecimens,
}
