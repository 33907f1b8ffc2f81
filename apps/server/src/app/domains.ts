import type { Registry } from 'prom-client'
import { createAudit, createAuditLog } from '#audit/public.ts'
import {
  createFinance,
  createCostCenter,
  createInvoices,
  createObjections,
  createServiceBills,
} from '#finance/public.ts'
import { createExports } from '#exports/public.ts'
import { createFeeds } from '#feeds/public.ts'
import { createFleet } from '#fleet/public.ts'
import { createGeography } from '#geography/public.ts'
import { createIdentity, identityTopics } from '#identity/public.ts'
import { handlersOf, type Domain } from '#kit/domain.ts'
import type { Kit } from '#kit/kit.ts'
import { createLookup } from '#lookup/public.ts'
import { createContent, createMarketing } from '#marketing/public.ts'
import { createNotices } from '#notices/public.ts'
import { createOperations, reportFault } from '#operations/public.ts'
import { createCompanies, createOrganisation, createPeople } from '#organisation/public.ts'
import { createPartners } from '#partners/public.ts'
import { createPhotos } from '#photos/public.ts'
import { createProduction } from '#production/public.ts'
import { certifications, createRiderDesk, createRiders } from '#rider/public.ts'
import { createReports, createReportSchedules } from '#reports/public.ts'
import { createRiding } from '#riding/public.ts'
import { createSettings } from '#settings/public.ts'
import { createFeedback, createTickets, createSupport } from '#support/public.ts'
import { createTelemetry } from '#telemetry/public.ts'

/**
 * Creates every domain with the domains that it needs. What is returned here is served, runs its jobs in the worker and
 * is closed at the end: a new domain is one line of creation and one name in the result.
 */
export async function createDomains(kit: Kit, { metrics }: { readonly metrics: Registry }) {
  const audit = createAudit(kit)
  const photos = createPhotos(kit)
  const riders = createRiders(kit)
  const identity = await createIdentity(kit, { audit })
  const organisation = createOrganisation(kit)
  const exports = createExports({ kit, audit, accessOf: identity.accessOf })
  const fleet = createFleet(kit, { audit })
  const production = createProduction(kit, { audit, fleet })
  const finance = createFinance(kit, riders)
  const geography = createGeography(kit, { audit })
  const riding = createRiding(kit, { audit, fleet, geography, finance, riders })
  const marketing = createMarketing(kit, { audit, finance, riders, riding })
  const tickets = createTickets(kit, { audit, photos, reportFault, riders })
  const events = { ride: riding.riderEvents, ticket: tickets.riderEvents }
  const { vehicleDays, deviceMessages } = fleet.usage
  const serviceBills = createServiceBills(kit, {
    audit,
    books: finance.books,
    sources: { vehicle_day: vehicleDays, device_data: deviceMessages, certification: certifications(kit) },
  })
  kit.bus.subscribe(identityTopics.smsSent, ({ agentId }) => serviceBills.tally('sms', agentId))
  const domains = {
    identity,
    auditTrail: createAuditLog(kit, { audit, phoneHash: identity.operators.phoneHash }),
    organisation,
    people: createPeople({ kit, audit, identity, finance }),
    companies: createCompanies({ kit, audit, identity, geography, photos }),
    fleet,
    telemetry: createTelemetry(kit, { fleet, audit, organisation, transfers: production.transfers, metrics }),
    operations: createOperations(kit, { audit, fleet, geography, photos }),
    geography,
    riding,
    riderDesk: createRiderDesk(kit, { audit, photos, events, riders }),
    finance,
    serviceBills,
    costCenter: createCostCenter(kit, { audit, finance }),
    objections: createObjections(kit, { audit, photos, finance }),
    marketing,
    content: createContent(kit, { audit, photos, riders }),
    invoices: createInvoices(kit, { audit, photos, rides: riding.invoicing, riders }),
    support: createSupport(kit, { organisation }),
    tickets,
    feedback: createFeedback(kit, { audit, photos }),
    reports: createReports(kit, { audit }),
    reportSchedules: createReportSchedules({
      kit,
      audit,
      exports,
      accessOf: identity.accessOf,
    }),
    photos,
    production,
    exports,
    settings: createSettings(kit, { audit }),
    feeds: createFeeds(kit, { audit, geography }),
    partners: createPartners(kit, { audit }),
    notices: createNotices(kit, { audit, openPhone: identity.operators.phone, sendText: identity.sendText }),
  } satisfies Readonly<Record<string, Domain>>
  // It asks the lists of other domains, as those who may open their pages do.
  const lookup = createLookup(handlersOf(domains))
  return { audit, domains: { ...domains, lookup }, handlers: exports.serve(handlersOf({ ...domains, lookup })) }
}

export type Domains = Awaited<ReturnType<typeof createDomains>>['domains']
