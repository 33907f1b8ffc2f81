import type { Call, SessionCall } from '#kit/call.ts'
import { createLocalBus } from '#kit/bus.ts'
import { createManualClock, type ManualClock } from '#kit/clock.ts'
import { loadConfig } from '#kit/config.ts'
import { createKeyring } from '#kit/crypto.ts'
import type { Database } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { silentLog } from '#kit/log.ts'
import { createSeededRandom } from '#kit/random.ts'

export const TEST_START_MS = Date.UTC(2026, 10, 21, 4)
export const kitSecret = 'a secret for tests only, long enough'

/** A kit with a clock that stands still and repeatable random numbers; everything else is real. */
export function testKit(db: Database, env: Readonly<Record<string, string>> = {}): Kit & { clock: ManualClock } {
  return {
    config: loadConfig(env),
    db,
    clock: createManualClock(TEST_START_MS),
    random: createSeededRandom(20_261_121),
    log: silentLog,
    bus: createLocalBus({ log: silentLog }),
    secrets: createKeyring({ secret: kitSecret }),
  }
}

/** A call of somebody who is not logged in. */
export function publicCall(changes: Partial<Call> = {}): Call {
  return {
    requestId: 'test-request',
    address: '192.0.2.1',
    userAgent: 'test',
    host: 'localhost:8080',
    cookie: () => undefined,
    setCookie: () => {},
    clearCookie: () => {},
    ...changes,
  }
}

/** A call of an operator; without a `scope` nothing is narrowed by the header's selection. */
export function sessionCall(options: {
  operatorId: number
  agentId: number
  grant: Pick<Scope, 'agentIds' | 'areaIds'>
  scope?: Pick<Scope, 'agentIds' | 'areaIds'>
  name?: string
  phone?: string
  permissions?: readonly string[]
}): SessionCall {
  const { operatorId, agentId, grant, scope = grant, name = '测试员', phone = '13900000000' } = options
  const objectId = operatorId.toString(16).padStart(24, '0')
  return {
    ...publicCall(),
    caller: { sessionId: operatorId, operatorId, agentId, phone, name, permissions: new Set(options.permissions) },
    grant: { ...grant, operatorId },
    scope: { ...scope, operatorId },
    token: {
      userId: objectId,
      phone,
      agentId,
      build: 'test',
      devId: '',
      package: 'test',
      iat: Math.floor(TEST_START_MS / 1_000),
      exp: Math.floor(TEST_START_MS / 1_000) + 60,
      jti: 'test',
      htm: 'GET',
      htu: '/',
      bodyHash: '',
    },
  }
}
