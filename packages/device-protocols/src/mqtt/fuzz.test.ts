import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ProtocolError } from '../error.ts'
import { mulberry32 } from '../random.fixture.ts'
import { decodeMqtt, decodeMqttCommand, encodeMqttToPlatform, toReports } from './codec.ts'
import { thorough } from '../../../../scripts/lib/thorough.mjs'

/** MQTT_FUZZ_SEED repeats one. */
const runs = thorough({ normal: 100_000, long: 1_000_000, full: 3_000_000 })
const seed = Number(process.env['MQTT_FUZZ_SEED'] ?? 20_141_029)

const page = readFileSync(new URL('./scheme.md', import.meta.url), 'utf8')
const seeds = [...page.matchAll(/^```json (\S+)\n([\s\S]*?)^```$/gm)].map(([, topic = '', json = '']) => ({
  topic,
  payload: Buffer.from(json),
}))
const spice = [
  'null',
  '1e999',
  '-0',
  '[[[[[[',
  '{"a":',
  '"__proto__":',
  '"\\ud800"',
  '\u00e9',
  '"lat":91,',
  '{}',
  ',',
  '"',
]

type Publication = { topic: string; payload: Buffer }

function mutate(random: () => number): Publication {
  const below = (limit: number) => Math.floor(random() * limit)
  const { topic, payload } = seeds[below(seeds.length)]!
  let bytes = Buffer.from(payload)
  for (let step = below(4); step > 0; step--) {
    const at = below(bytes.length + 1)
    const kind = below(5)
    if (kind === 0 && bytes.length > 0) bytes[Math.min(at, bytes.length - 1)] = below(256)
    else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + below(8))])
    else if (kind === 2) {
      bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(spice[below(spice.length)]!), bytes.subarray(at)])
    } else if (kind === 3) {
      // Another value in the place of a number, which leaves sound JSON.
      const text = bytes.toString('latin1')
      const value = spice[below(4)]!
      bytes = Buffer.from(text.replace(/(?<=:)\d+(?=[,}])/, value), 'latin1')
    } else {
      const other = seeds[below(seeds.length)]!.payload
      bytes = Buffer.from(
        bytes.toString('latin1').replace('{', `{"x${below(9)}":${other.toString('latin1')},`),
        'latin1',
      )
    }
  }
  const strayed = random() < 0.05 ? topic.slice(0, below(topic.length)) : topic
  return { topic: strayed, payload: bytes }
}

/** Reads a publication as both sides would; anything but a message or a ProtocolError fails the test. */
function survives(publication: Publication): boolean {
  let understood = false
  try {
    decodeMqttCommand(publication)
    understood = true
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
  }
  try {
    const message = decodeMqtt(publication)
    for (const report of toReports(message)) if (report.deviceId !== message.deviceId) throw new Error('a wrong device')
    // What was understood can be said again and is understood the same.
    expect(decodeMqtt(encodeMqttToPlatform(message))).toEqual(message)
    return true
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    return understood
  }
}

describe('mutated payloads', () => {
  it(`survives ${runs} of them, seed ${seed}`, { timeout: 60_000 + runs / 5 }, () => {
    const random = mulberry32(seed)
    let understood = 0
    for (let run = 0; run < runs; run++) if (survives(mutate(random))) understood++
    // Both kinds must have been met, or the mutations are too tame or too wild to prove anything.
    expect(understood).toBeGreaterThan(runs / 10)
    expect(understood).toBeLessThan(runs * 0.8)
    expect(({} as { locked?: boolean }).locked).toBeUndefined()
  })
})
