import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { expect, it } from 'vitest'
import { withSignature, writeImage } from '@saddle/device-protocols/image.ts'
import { createRandom } from '#sim/random.ts'
import { createFlasher } from './flasher.ts'
import { noTroubles, type Troubles } from './troubles.ts'

const maker = generateKeyPairSync('ed25519')
const outsider = generateKeyPairSync('ed25519')
const image = writeImage({ version: '2.0', protocol: 'omni', models: [] }, Buffer.alloc(1_000, 7))

function device({ batteryPercent = 80, ...troubles }: Partial<Troubles> & { batteryPercent?: number } = {}) {
  return createFlasher({
    version: '1.0',
    key: maker.publicKey,
    body: { batteryPercent },
    troubles: { ...noTroubles(), ...troubles },
    random: createRandom(1),
  })
}
const signed = (by = maker) => withSignature(image, sign(null, image, by.privateKey))
const manifest = (changes: object = {}) => ({
  content: image,
  sha256: createHash('sha256').update(image).digest('hex'),
  signature: sign(null, image, maker.privateKey),
  minBattery: 40,
  ...changes,
})

it('installs what its maker signed, is away to flash, and runs the new version after the restart', () => {
  const flasher = device()
  expect(flasher.installSigned(signed())).toBe('done')
  expect(flasher.version).toBe('1.0')
  expect(flasher.takeLeave()).toBe(4_000)
  expect(flasher.takeLeave()).toBeNull()
  flasher.started()
  expect(flasher.version).toBe('2.0')
})

it('takes nothing that another key signed, that is not the manifest’s, or with too little battery', () => {
  const flasher = device()
  expect(flasher.installSigned(signed(outsider))).toBe('signature')
  expect(flasher.install(manifest({ sha256: '0'.repeat(64) }))).toBe('digest')
  expect(flasher.install(manifest({ signature: sign(null, image, outsider.privateKey) }))).toBe('signature')
  expect(device({ batteryPercent: 39 }).install(manifest())).toBe('battery')
  expect(device({ batteryPercent: 19 }).installSigned(signed())).toBe('battery')
  flasher.started()
  expect([flasher.version, flasher.takeLeave()]).toEqual(['1.0', null])
})

it('goes on with the packages that it has, and asks for those that are missing', () => {
  const flasher = device()
  flasher.begin({ mark: 'a', total: 3 })
  flasher.put(0, Buffer.from('0'))
  flasher.put(2, Buffer.from('2'))
  // The line broke: the same image is announced again.
  flasher.begin({ mark: 'a', total: 3 })
  expect([flasher.missing(), flasher.gapsBefore(3), flasher.whole()]).toEqual([1, [1], null])
  flasher.put(1, Buffer.from('1'))
  expect(flasher.whole()?.toString()).toBe('012')
  flasher.begin({ mark: 'b', total: 3 })
  expect(flasher.gapsBefore(3)).toEqual([0, 1, 2])
  expect(device({ brokenPackageChance: 1 }).put(0, Buffer.from('0'))).toBe(false)
})

it('is away for longer where the power fails, and runs the new version all the same', () => {
  const flasher = device({ powerLossChance: 1 })
  expect(flasher.install(manifest())).toBe('done')
  expect(flasher.takeLeave()).toBe(12_000)
  flasher.started()
  expect(flasher.version).toBe('2.0')
})

it('never comes back from firmware that does not start', () => {
  const flasher = device({ brickChance: 1 })
  expect(flasher.install(manifest())).toBe('done')
  expect(flasher.takeLeave()).toBe(Number.POSITIVE_INFINITY)
})

it('keeps a voice pack without a restart', () => {
  const flasher = device()
  const voice = Buffer.from('RIFF a voice')
  const of = { content: voice, sha256: createHash('sha256').update(voice).digest('hex') }
  expect(flasher.install(manifest({ ...of, signature: sign(null, voice, maker.privateKey) }))).toBe('done')
  expect([flasher.voice, flasher.takeLeave()]).toEqual([of.sha256, null])
})
