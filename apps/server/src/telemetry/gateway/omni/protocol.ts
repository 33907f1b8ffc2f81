import type { GatewayProtocol } from '../protocol.ts'
import { createOmniSession } from './session.ts'

export const omniProtocol: GatewayProtocol = {
  createSession: createOmniSession,
  secretOf: null,
  hasRegistration: false,
}
