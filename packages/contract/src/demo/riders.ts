import { z } from 'zod'
import { demoAgents, type DemoAgentKey } from './city.ts'

/** Made-up people who ride in the demo city: the same ones in its past and in its simulated present. */

const firstFranchiseeId = 3
/** The company of a franchisee of the demo. */
export function demoFranchiseeId(key: DemoAgentKey): number {
  return firstFranchiseeId + demoAgents.findIndex((agent) => agent.key === key)
}

export const demoRidersPerAgent = 6_000
/** One number for each rider of each franchisee. */
export const demoRider = (agentId: number, index: number): number => agentId * 100_000 + index
/** A number that no network gives out to people. */
export const demoRiderPhone = (rider: number): string => `170${String(rider).padStart(8, '0')}`

/** The file in the data folder that holds the key of the simulated riders' application. */
export const demoRidersFile = 'demo-riders.json'
export const demoRidersAppName = '演示骑行应用'

/** The file beside it with codes of coupons that people hand out in the streets, by company. */
export const demoCodesFile = 'demo-coupon-codes.json'
export const demoCodesSchema = z.record(z.string(), z.array(z.string()))
