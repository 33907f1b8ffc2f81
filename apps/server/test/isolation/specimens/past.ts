import { dayMs } from '@saddle/contract/time.ts'
import { TEST_START_MS } from '#test/kit.ts'

export const pastMs = TEST_START_MS
export const pastDay = new Date(TEST_START_MS).toISOString().slice(0, 10)
export const pastDays = { from: new Date(TEST_START_MS - dayMs).toISOString().slice(0, 10), to: pastDay }

/** With a vehicle's number added: the finished repair that `addRowsOfAllTables` makes for it. */
export const finishedRepairs = 700_000_000

/** The file of a list that `addRowsOfAllTables` makes for the manager of a company. */
export const exportIdOf = (agentId: number): string => `00000000-0000-4000-8000-${String(agentId).padStart(12, '0')}`

/** A notice to the manager of a company that was not delivered; the one after it stands in the manager's inbox. */
export const failedDeliveryOf = (agentId: number): number => 810_000_000 + agentId * 10

/** The choice of a company for its first area; that for the second one has the next number. */
export const settingChangeOf = (agentId: number): number => 820_000_000 + agentId * 10

/** The scheduled report that `addRowsOfAllTables` makes for a company. */
export const scheduleIdOf = (agentId: number): number => 900_000 + agentId

/** The voltage scheme, and its only version, that `addRowsOfAllTables` makes for the models of a company. */
export const voltageOf = (agentId: number): number => 830_000_000 + agentId
