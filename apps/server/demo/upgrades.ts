import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoArtefactKeyFile } from '@saddle/contract/demo/artefacts.ts'
import type { DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import type { ArtefactKind } from '@saddle/contract/production/artefacts.ts'
import { upgradeTermsSchema } from '@saddle/contract/production/upgradeWords.ts'
import { writeImage, writePublicKey } from '@saddle/device-protocols/image.ts'
import { rowOf, rowOfValues, computed } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { createSeededRandom } from '#kit/random.ts'
import { checkArtefact, createSigners, insertArtefact, insertCampaign, startRow } from '#production/demoDoor.ts'
import { sql } from 'kysely'
import { platformAgentId } from './tenants.ts'
import { wavOf } from './wav.ts'

const signerName = 'demo'
const privateKeyFile = 'demo-artefact-key.pem'
const maker = '青骑固件组'

/** The key of the demo's firmware maker, made at the first start; it stays in the data folder. */
function makersKey(dataDir: string): KeyObject {
  const file = join(dataDir, privateKeyFile)
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ed25519')
    writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
  }
  return createPrivateKey(readFileSync(file))
}

/** The maker's public key, for the platform; the simulated devices read it from a file. */
export function prepareDemoSigner({ config }: Pick<Kit, 'config'>): { name: string; key: string } {
  const key = writePublicKey(createPublicKey(makersKey(config.dataDir)))
  writeFileSync(join(config.dataDir, demoArtefactKeyFile), JSON.stringify({ key }))
  return { name: signerName, key }
}

type Made = {
  readonly kind: ArtefactKind
  readonly name: string
  readonly version: string
  readonly protocol: DeviceProtocol
  readonly follows?: readonly string[]
  readonly note: string
  readonly bytes: Buffer
}

function firmware(of: {
  name: string
  version: string
  protocol: DeviceProtocol
  follows?: readonly string[]
  size: number
  note: string
}): Made {
  const { version, protocol, size, ...rest } = of
  const random = createSeededRandom(size)
  const code = Buffer.from(Array.from({ length: size }, () => Math.floor(random.fraction() * 256)))
  return { ...rest, kind: 'firmware', version, protocol, bytes: writeImage({ version, protocol, models: [] }, code) }
}

const sampleRate = 8_000
const noteSeconds = 0.22

/** A tune as a WAV file of 8 bits. */
function tune(frequencies: readonly number[]): Buffer {
  const samples = frequencies.flatMap((frequency) =>
    Array.from({ length: Math.floor(sampleRate * noteSeconds) }, (_, at) => {
      const fade = 1 - at / (sampleRate * noteSeconds)
      return 128 + Math.round(90 * fade * Math.sin((2 * Math.PI * frequency * at) / sampleRate))
    }),
  )
  return wavOf(Buffer.from(samples), sampleRate)
}

const artefacts = (): readonly Made[] => [
  firmware({ name: 'MQTT 中控', version: 'SD-M-3.2.1', protocol: 'mqtt', size: 90_000, note: '出厂版本，可用于回退' }),
  firmware({
    name: 'MQTT 中控',
    version: 'SD-M-3.3.0',
    protocol: 'mqtt',
    size: 96_000,
    note: '缩短开锁应答，修正低温电量',
  }),
  firmware({ name: 'Omni 锁控', version: '110', protocol: 'omni', size: 23_000, note: '出厂版本，可用于回退' }),
  firmware({
    name: 'Omni 锁控',
    version: '111',
    protocol: 'omni',
    follows: ['110'],
    size: 24_000,
    note: '修正倒地告警误报',
  }),
  firmware({ name: '808 终端', version: 'SD-808-2.4', protocol: 'jt808', size: 58_000, note: '出厂版本，可用于回退' }),
  firmware({
    name: '808 终端',
    version: 'SD-808-2.5',
    protocol: 'jt808',
    size: 60_000,
    note: '定位漂移过滤',
  }),
  {
    kind: 'voice',
    name: '标准提示音',
    version: '1',
    protocol: 'mqtt',
    note: '开锁、还车、低电量',
    bytes: tune([523, 659, 784]),
  },
  {
    kind: 'voice',
    name: '新年提示音',
    version: '1',
    protocol: 'mqtt',
    note: '一月使用',
    bytes: tune([784, 659, 784, 1047]),
  },
]

const countRow = rowOfValues({ count: computed('bigint', sql`count(*)`) })
const placeRow = rowOf('service_area', 's', ['id', 'agent_id'])

/** Firmware and voice packs of the platform, and two campaigns that run. Done once. */
export async function fillUpgrades(kit: Kit): Promise<boolean> {
  const [known] = await kit.db.systemRead((k) => countRow.select`from device_artefact`.compile(k))
  if ((known?.count ?? 0) > 0) return false
  const key = makersKey(kit.config.dataDir)
  const signers = createSigners([prepareDemoSigner(kit)])
  const places = await kit.db.systemRead((k) =>
    placeRow.select`from service_area s order by s.id limit 2000`.compile(k),
  )
  const scope: Scope = {
    agentIds: [...new Set([platformAgentId, ...places.map((place) => place.agent_id)])],
    areaIds: places.map(({ id }) => id),
    operatorId: 0,
  }
  const by = { at: new Date(kit.clock.now()), name: maker, scope }
  await kit.db.system(async (tx) => {
    const ids = new Map<string, number>()
    for (const { bytes, follows = [], ...made } of artefacts()) {
      const signature = sign(null, bytes, key).toString('base64')
      const given = { agentId: platformAgentId, models: [], follows: [...follows], ...made }
      const checked = checkArtefact({ signers }, { ...given, signature, base64: bytes.toString('base64') })
      ids.set(`${made.name} ${made.version}`, await insertArtefact(tx, checked, by))
    }
    const campaign = async (name: string, artefact: string): Promise<number> => {
      const terms = upgradeTermsSchema.parse({ nightOnly: false, watchHours: 1 })
      const of = { agentId: platformAgentId, artefactId: ids.get(artefact) ?? 0, name, areaIds: [], terms }
      return (await insertCampaign(tx, of, by)).id
    }
    await startRow(tx, await campaign('MQTT 中控 3.3.0 全量', 'MQTT 中控 SD-M-3.3.0'), by.at)
    await startRow(tx, await campaign('808 终端 2.5 试点', '808 终端 SD-808-2.5'), by.at)
  })
  return true
}
