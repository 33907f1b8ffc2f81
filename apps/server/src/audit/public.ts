import type { auditEndpoints } from '@saddle/contract/audit/lines.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import type { Audit } from './audit.ts'
import { startAnchoring } from './chain/anchors.ts'
import { createChainHandlers } from './chain/handlers.ts'
import { createSearchHandlers } from './search/handlers.ts'

export { createAudit, type Audit } from './audit.ts'
export { anchorFolder } from './chain/anchorFile.ts'
export { exportPart, type CsvColumns } from './exports/part.ts'
export { byPlace, type AuditEntry } from './lines/rules.ts'

export type AuditTrail = {
  readonly handlers: Handlers<typeof auditEndpoints>
  /** Keeps the ends of the chains elsewhere, again and again; returns what ends it. For the worker; safe on several at once. */
  startBackground(): () => Promise<void>
}

/** The trail to be read: searches, files, and the proof that it is whole. */
export function createAuditTrail(
  kit: Kit,
  others: {
    readonly audit: Audit
    /** What stands in the place of a phone number in the table of people. */
    readonly phoneHash: (phone: string) => string
  },
): AuditTrail {
  return {
    handlers: { ...createSearchHandlers(kit, others), ...createChainHandlers(kit) },
    startBackground: () => startAnchoring(kit),
  }
}
