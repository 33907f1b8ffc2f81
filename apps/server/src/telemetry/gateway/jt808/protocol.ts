import type { GatewayProtocol } from '../protocol.ts'
import { createJt808Session } from './session.ts'

export const jt808Protocol: GatewayProtocol = {
  createSession: createJt808Session,
  secretOf: (secrets, device) => secrets.authCode(device),
  hasRegistration: true,
}
