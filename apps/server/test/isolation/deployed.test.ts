import { describe } from 'vitest'
import { createTally, createWorld } from './world.ts'
import { describeReaches } from './reaches.ts'

const tally = createTally('as deployed')
const world = await createWorld()

describe('isolation as deployed', () => {
  describeReaches(world, tally)
})
