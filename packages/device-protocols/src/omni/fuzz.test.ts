import { describe, expect, it } from 'vitest'
import { ProtocolError } from '../error.ts'
import { mulberry32 } from '../random.fixture.ts'
import { decodeOmni, decodeOmniCommand, formatOmni, toReport } from './codec.ts'
import { createOmniSplitter, omniMaxFrameLength } from './frames.ts'
import { omniVectors } from './vectors.fixture.ts'
import { thorough } from '../../../../scripts/lib/thorough.mjs'

/** OMNI_FUZZ_SEED repeats one. */
const runs = thorough({ normal: 100_000, long: 1_000_000, full: 3_000_000 })
const seed = Number(process.env['OMNI_FUZZ_SEED'] ?? 20_161_215)

const seeds = omniVectors.map(({ frame }) => Buffer.from(frame, 'latin1'))
const spice = Buffer.from('*#,.-0129AZNSEWV\u00ff\n\0 ', 'latin1')

function mutate(random: () => number): Buffer {
  const below = (limit: number) => Math.floor(random() * limit)
  let bytes = Buffer.from(seeds[below(seeds.length)]!)
  for (let step = below(6); step >= 0; step--) {
    const at = below(bytes.length + 1)
    const kind = below(6)
    if (kind === 0) bytes[Math.min(at, bytes.length - 1)] = below(256)
    else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + below(8))])
    else if (kind === 2) {
      bytes = Buffer.concat([bytes.subarray(0, at), spice.subarray(below(spice.length)), bytes.subarray(at)])
    } else if (kind === 3) bytes[Math.min(at, bytes.length - 1)] = spice[below(spice.length)]!
    else if (kind === 4) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(below(bytes.length + 1))])
    else bytes = Buffer.concat([bytes, seeds[below(seeds.length)]!])
    if (bytes.length === 0) bytes = Buffer.from('#')
  }
  return bytes
}

/** Reads a frame as both sides would; anything but a message or a ProtocolError fails the test. */
function survives(frame: string): boolean {
  try {
    decodeOmniCommand(frame)
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
  }
  try {
    const message = decodeOmni(frame)
    toReport(message)
    // What was understood can be said again and is understood the same.
    const again = decodeOmni(formatOmni(message))
    if (again.instruction !== message.instruction) throw new Error(`${frame} changed its meaning`)
    return true
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    return false
  }
}

describe('mutated frames', () => {
  it(`survives ${runs} of them, seed ${seed}`, { timeout: 60_000 + runs / 10 }, () => {
    const random = mulberry32(seed)
    const splitter = createOmniSplitter()
    let understood = 0
    for (let run = 0; run < runs; run++) {
      const bytes = mutate(random)
      if (survives(bytes.toString('latin1'))) understood++
      for (const frame of splitter.push(bytes)) survives(frame)
      if (splitter.pendingBytes > omniMaxFrameLength) throw new Error(`the splitter grew at run ${run}`)
    }
    // Both kinds must have been met, or the mutations are too tame or too wild to prove anything.
    expect(understood).toBeGreaterThan(runs / 100)
    expect(understood).toBeLessThan(runs / 2)
  })
})
