import type { auditEndpoints } from '@saddle/contract/audit/records.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import type { Audit } from './audit.ts'
import { startAnchoring } from './chain/anchors.ts'
import { createChainHandlers } from './chain/handlers.ts'
import { createSearchHandlers } from './search/handlers.ts'

export { createAudit, type Audit } from './audit.ts'
export { createWithin, holdCompany } from './createWithin.ts'
export { anchorFolder, readAnchors } from './chain/anchorFile.ts'
export { byArea, type AuditEntry } from './records/rules.ts'

export type AuditLog = {
  readonly handlers: Handlers<typeof auditEndpoints>
  /** Anchors the ends of the chains periodically; returns a function that stops it. For workers; safe to run on several. */
  startBackground(): () => Promise<void>
}

/** Reading the audit log: searches, exports and verification. */
export function createAuditLog(
  kit: Kit,
  others: {
    readonly audit: Audit
    /** The hash that the operator table stores for a phone number. */
    readonly phoneHash: (phone: string) => string
  },
): AuditLog {
  return {
    handlers: { ...createSearchHandlers(kit, others), ...createChainHandlers(kit) },
    startBackground: () => startAnchoring(kit),
  }
}
