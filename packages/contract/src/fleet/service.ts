import { z } from 'zod'
import { answerOf, answeredIdSchema, idSchema, plainTextSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'

/** Vehicles that one call may take out of service or put back. */
export const serviceBatchMax = 200

/** Whoever may send commands, and whoever hands out work, may say that nobody is to ride a vehicle. */
const turns = {
  host: 'platform',
  permission: ['030101', '090901'],
  scope: 'area',
  idempotency: 'key',
  method: 'POST',
} as const
const vehicleIds = z.array(idSchema).min(1).max(serviceBatchMax)
const reason = plainTextSchema.trim().max(200)
/** Each for itself: a vehicle that is ridden or lost does not hold up the others. */
const turned = answerOf(
  z.object({
    done: z.array(answeredIdSchema),
    refused: z.array(z.object({ vehicle: z.string(), promot: z.string() })),
  }),
)

export const serviceEndpoints = defineEndpoints({
  takeOutOfService: {
    ...turns,
    path: `${basePath}/device/service/out`,
    reverse: 'returnToService',
    summary: '把一批车辆标记为停运，须说明原因；骑行中的车辆逐一说明',
    input: z.object({ vehicleIds, reason: reason.min(1) }),
    output: turned,
  },
  returnToService: {
    ...turns,
    path: `${basePath}/device/service/back`,
    summary: '恢复一批停运车辆；电量过低或正在维修的逐一说明',
    input: z.object({ vehicleIds, reason: reason.default('') }),
    output: turned,
  },
})
