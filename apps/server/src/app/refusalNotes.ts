import type { AppError } from '@saddle/contract/errors.ts'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import type { Audit } from '#audit/public.ts'
import type { Call, SessionCall } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { createLimiter } from '#kit/limits.ts'

interface Refusal {
  readonly error: AppError
  readonly call: Call
  readonly endpoint: Endpoint
  readonly caller: SessionCall['caller'] | null
}

const linesPerMinute = 20

/** Writes down who reached for what is not theirs. */
export function createRefusalNotes({ kit, audit }: { kit: Kit; audit: Audit }) {
  // One person who tries a thousand times fills twenty lines, not a thousand.
  const budget = createLimiter({ limit: linesPerMinute, windowMs: 60_000, maxKeys: 10_000, clock: kit.clock })

  const write = async ({ error, call, endpoint }: Refusal, caller: SessionCall['caller']): Promise<void> => {
    const scope = { agentIds: [caller.agentId], areaIds: [], operatorId: caller.operatorId }
    await kit.db.withScope(scope, (tx) =>
      audit.write(tx, {
        agentId: caller.agentId,
        operatorId: caller.operatorId,
        action: error.code,
        subjectKind: 'endpoint',
        subjectId: `${endpoint.method} ${endpoint.path}`,
        address: call.address,
        requestId: call.requestId,
      }),
    )
  }

  return {
    onRefusal: (refusal: Refusal): void => {
      const { error, caller } = refusal
      if (caller === null || (error.code !== 'foreign_scope' && error.code !== 'forbidden')) return
      if (!budget.take(String(caller.operatorId)).allowed) return
      write(refusal, caller).catch((err: unknown) => kit.log.error({ err }, 'a refusal could not be written down'))
    },
  }
}
