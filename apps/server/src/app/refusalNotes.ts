import type { AppError } from '@saddle/contract/errors.ts'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { minuteMs } from '@saddle/contract/time.ts'
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
const summaryEveryMs = minuteMs
/** Kinds of calls that a summary names. */
const namedCallsMax = 20

/** Refusals of a person that got no line of their own, since the last summary. */
interface Unwritten {
  readonly first: Refusal
  readonly caller: SessionCall['caller']
  readonly calls: Set<string>
  count: number
}

/** Writes down who reached for what is not theirs. */
export function createRefusalNotes({ kit, audit }: { kit: Kit; audit: Audit }) {
  // One person who tries a thousand times fills twenty lines and a summary a minute, not a thousand lines.
  const budget = createLimiter({ limit: linesPerMinute, windowMs: minuteMs, maxKeys: 10_000, clock: kit.clock })

  const unwritten = new Map<number, Unwritten>()

  const write = async (
    { error, call, endpoint }: Refusal,
    caller: SessionCall['caller'],
    after?: Record<string, unknown>,
  ): Promise<void> => {
    const scope = { agentIds: [caller.agentId], areaIds: [], operatorId: caller.operatorId }
    await kit.db.withScope(scope, (tx) =>
      audit.write(tx, {
        agentId: caller.agentId,
        operatorId: caller.operatorId,
        action: error.code,
        subjectKind: 'endpoint',
        subjectId: nameOf(endpoint),
        ...(after !== undefined && { after }),
        address: call.address,
        requestId: call.requestId,
      }),
    )
  }

  const count = (refusal: Refusal, caller: SessionCall['caller']): void => {
    const { operatorId } = caller
    const own = unwritten.get(operatorId) ?? { first: refusal, caller, calls: new Set<string>(), count: 0 }
    own.count += 1
    if (own.calls.size < namedCallsMax) own.calls.add(nameOf(refusal.endpoint))
    unwritten.set(operatorId, own)
  }

  /** Writes one line for each person whose refusals were more than had room: how many, and of which calls. */
  const summarise = async (): Promise<void> => {
    const all = [...unwritten.values()]
    unwritten.clear()
    for (const { first, caller, calls, count: more } of all) {
      await write(first, caller, { more, calls: [...calls] }).catch((err: unknown) => {
        kit.log.error({ err, more }, 'refusals could not be written down')
      })
    }
  }
  const timer = setInterval(() => void summarise(), summaryEveryMs)
  timer.unref()

  return {
    summarise,
    /** Writes pending rows; must be called before the database closes. */
    close: (): Promise<void> => {
      clearInterval(timer)
      return summarise()
    },
    onRefusal: (refusal: Refusal): void => {
      const { error, caller } = refusal
      if (caller === null || (error.code !== 'foreign_scope' && error.code !== 'forbidden')) return
      if (!budget.take(String(caller.operatorId)).allowed) {
        count(refusal, caller)
        return
      }
      write(refusal, caller).catch((err: unknown) => kit.log.error({ err }, 'a refusal could not be written down'))
    },
  }
}

const nameOf = (endpoint: Endpoint): string => `${endpoint.method} ${endpoint.path}`
