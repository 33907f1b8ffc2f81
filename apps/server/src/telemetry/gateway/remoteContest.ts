import { randomUUID } from 'node:crypto'
import type { Leases } from '#fleet/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { LiveConnection } from './contest.ts'
import { gatewayLimits } from './limits.ts'
import type { DeviceSession } from './session.ts'
import { contestAlarm, contestAnswer, contestQuestion } from './topics.ts'

/** The way of a question and its answer between two gateways, beside the time that the device has. */
const travelMs = 2_000

/**
 * Asks another gateway of the cluster whether the connection that it has of a vehicle is alive, and answers such questions.
 * No answer means that it is not: that gateway may be dead.
 */
export function createRemoteContests(options: {
  readonly kit: Pick<Kit, 'bus' | 'clock'>
  readonly gatewayId: string
  readonly leases: Leases
  readonly sessionOf: (vehicleId: number) => DeviceSession | undefined
}) {
  const { kit, gatewayId, leases, sessionOf } = options
  const asked = new Map<string, (isAlive: boolean) => void>()
  const stops = [
    kit.bus.subscribe(contestQuestion, (question) => {
      if (question.gatewayId === gatewayId) void answer(question)
    }),
    kit.bus.subscribe(contestAnswer, ({ questionId, isAlive }) => asked.get(questionId)?.(isAlive)),
    kit.bus.subscribe(contestAlarm, (alarm) => {
      if (alarm.gatewayId === gatewayId) sessionOf(alarm.vehicleId)?.contest?.alarm()
    }),
  ]
  const answer = async ({ questionId, vehicleId }: { questionId: string; vehicleId: number }): Promise<void> => {
    const isAlive = (await sessionOf(vehicleId)?.contest?.isAlive()) ?? false
    kit.bus.publish(contestAnswer, { questionId, isAlive })
  }
  const ask = (holderId: string, vehicleId: number): Promise<boolean> =>
    new Promise((resolve) => {
      const questionId = randomUUID()
      const settle = (isAlive: boolean): void => {
        clearTimeout(timer)
        asked.delete(questionId)
        resolve(isAlive)
      }
      const timer = setTimeout(() => settle(false), gatewayLimits.contestMs + travelMs)
      asked.set(questionId, settle)
      kit.bus.publish(contestQuestion, { questionId, gatewayId: holderId, vehicleId })
    })
  return {
    /** The connection that another gateway has of the vehicle; undefined when none has. */
    async liveOf(vehicleId: number): Promise<LiveConnection | undefined> {
      const holder = await leases.holder(vehicleId)
      if (holder === null || holder.gatewayId === gatewayId || holder.address === '') return undefined
      return {
        key: holder.gatewayId,
        contest: {
          address: holder.address,
          // When it was opened is known to the other gateway, which notes the home network itself.
          openedAt: kit.clock.now(),
          isAlive: () => ask(holder.gatewayId, vehicleId),
          alarm: () => kit.bus.publish(contestAlarm, { gatewayId: holder.gatewayId, vehicleId }),
        },
      }
    },
    close: (): void => {
      for (const stop of stops) stop()
      for (const settle of asked.values()) settle(false)
    },
  }
}
