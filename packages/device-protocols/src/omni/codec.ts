/** The door of the Omni codec: what gateway, simulator and tools use. */
export { decodeOmni } from './decode.ts'
export { encodeOmniToPlatform, formatOmni } from './encode.ts'
export { decodeOmniCommand, encodeOmniToDevice, formatOmniCommand, omniMaxPackageBytes } from './commands.ts'
export { toReport } from './to-report.ts'
export { omniProfiles, type OmniProfile } from './profile.ts'
export {
  omniResult,
  type OmniBody,
  type OmniCommand,
  type OmniCommandBody,
  type OmniHead,
  type OmniMessage,
  type OmniMessageOf,
  type OmniOperation,
} from './messages.ts'
