/** What the demo's past is written with, besides the public part of this domain. Only `apps/server/demo` imports it. */
export { insertBan } from './bans/store.ts'
export { decideCertificate, insertCertificate, selectCertificatesOf } from './certificates/store.ts'
export type { RiderParts } from './parts/parts.ts'
export { riderColumns, type RiderRow } from './parts/rider.ts'
export { devicePurpose } from './people/devices.ts'
export { createSeals } from './people/seals.ts'
export { decideRebind, insertRebind, selectRebindsOf } from './rebinds/store.ts'
