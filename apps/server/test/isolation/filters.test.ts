import { describe } from 'vitest'
import { createTally, createWorld, openPolicies } from './world.ts'
import { describeReaches } from './reaches.ts'

/** With the row policies opened, so that each call's own filter has to hold alone. */
const tally = createTally('by filters alone')
const world = await createWorld()
await openPolicies(world)

describe('isolation by filters alone', () => {
  describeReaches(world, tally)
})
