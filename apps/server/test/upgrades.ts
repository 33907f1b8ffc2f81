import { wavOf } from '../demo/wav.ts'
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { upgradeTermsSchema } from '@saddle/contract/production/upgradeWords.ts'
import type { DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { writeImage, writePublicKey } from '@saddle/device-protocols/image.ts'
import type { Tx } from '#kit/db/pool.ts'

/** What stands before the 32 bytes of an Ed25519 private key in its usual form. */
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex')
/** A maker's key of tests alone: whoever reads this may sign what tests take. */
const privateKey = createPrivateKey({
  key: Buffer.concat([privatePrefix, createHash('sha256').update('tests').digest()]),
  format: 'der',
  type: 'pkcs8',
})
export const testArtefactKey = createPublicKey(privateKey)
/** The setting with which the platform takes what this key signed. */
export const testArtefactKeys = { ARTEFACT_KEYS: `tests:${writePublicKey(testArtefactKey)}` }

export const signArtefact = (bytes: Uint8Array): Buffer => sign(null, bytes, privateKey)

/** Firmware of a version, of so many bytes of code. */
export function testImage({
  version,
  protocol,
  bytes = 2_000,
}: {
  version: string
  protocol: DeviceProtocol
  bytes?: number
}): Buffer {
  const code = Buffer.alloc(bytes, createHash('sha256').update(version).digest())
  return writeImage({ version, protocol, models: [] }, code)
}

/** The input of the upload call. */
export function testUpload(of: { agentId: number; version: string; protocol: DeviceProtocol; bytes?: number }) {
  const content = testImage(of)
  return {
    agentId: of.agentId,
    kind: 'firmware' as const,
    name: 'main board',
    version: of.version,
    protocol: of.protocol,
    models: [],
    follows: [],
    note: '',
    signature: signArtefact(content).toString('base64'),
    base64: content.toString('base64'),
  }
}

/** A voice of silence, long enough to be listened to. */
export function testVoice(): Buffer {
  return wavOf(Buffer.alloc(800, 128), 8_000)
}

/** Upgrades that a call could reach for. */
export type UpgradeThings = {
  readonly firmwareId: number
  /** Of the version before. */
  readonly beforeId: number
  readonly voiceId: number
  /** It runs, its canary is watched. */
  readonly runningId: number
  readonly readyId: number
  /** One of each area. */
  readonly actionIds: readonly [number, number]
  /** Batches of vehicles that wait for a decision, and ones that brought a vehicle each; one of each area. */
  readonly importIds: readonly [number, number]
  readonly committedImportIds: readonly [number, number]
}

/** The same with the things of the second area in the places of the first one's. */
export function upgradesInSecondArea(of: UpgradeThings): UpgradeThings {
  const flip = ([first, second]: readonly [number, number]): [number, number] => [second, first]
  return {
    ...of,
    actionIds: flip(of.actionIds),
    importIds: flip(of.importIds),
    committedImportIds: flip(of.committedImportIds),
  }
}

/** Firmware in two versions, a voice pack, a campaign that runs and one that does not; every text holds the marker. */
export async function addUpgrades(options: {
  tx: Tx
  agentId: number
  areaIds: readonly [number, number]
  vehicleIds: readonly number[]
  marker: string
  at: Date
}): Promise<UpgradeThings> {
  const { tx, agentId, areaIds, vehicleIds, marker, at } = options
  const artefact = async (kind: 'firmware' | 'voice', version: string): Promise<number> => {
    const content = kind === 'voice' ? testVoice() : testImage({ version, protocol: 'omni' })
    const { id } = await tx
      .insertInto('device_artefact')
      .values({
        agent_id: agentId,
        kind,
        name: `${marker} ${kind}`,
        version,
        protocol: 'omni',
        models: [],
        follows: [],
        format: kind === 'voice' ? 'wav' : 'sdfw',
        bytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
        signature: signArtefact(content),
        signer: 'tests',
        note: `${marker} note`,
        created_at: at,
        created_by: `${marker} clerk`,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx.insertInto('device_artefact_content').values({ artefact_id: id, agent_id: agentId, content }).execute()
    return id
  }
  const beforeId = await artefact('firmware', '109')
  const firmwareId = await artefact('firmware', '111')
  const voiceId = await artefact('voice', '1')
  const campaign = async (state: 'running' | 'ready'): Promise<number> => {
    const begun = state === 'running' ? { started_at: at, group_started_at: at, resumed_at: at } : {}
    const { id } = await tx
      .insertInto('upgrade_campaign')
      .values({
        agent_id: agentId,
        artefact_id: firmwareId,
        name: `${marker} ${state}`,
        state,
        // Longer than any test: the worker leaves it alone.
        terms: JSON.stringify(upgradeTermsSchema.parse({ watchHours: 72 })),
        area_ids: [],
        created_at: at,
        created_by: `${marker} clerk`,
        ...begun,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const runningId = await campaign('running')
  const readyId = await campaign('ready')
  const actionIds: number[] = []
  for (const [index, vehicleId] of vehicleIds.entries()) {
    const place = { agent_id: agentId, area_id: areaIds[index] ?? 0 }
    const { id } = await tx
      .insertInto('upgrade_action')
      .values({
        ...place,
        campaign_id: runningId,
        artefact_id: firmwareId,
        vehicle_id: vehicleId,
        group_no: 0,
        state: 'finished',
        kind: 'firmware',
        from_version: '109',
        to_version: '111',
        package: 9,
        packages: 9,
        queued_at: at,
        begun_at: at,
        changed_at: at,
        finished_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('upgrade_step')
      .values({ ...place, action_id: id, at, step: 'finished', package: 9, detail: `${marker} step` })
      .execute()
    actionIds.push(id)
  }
  const [first = 0, second = 0] = actionIds
  const imports = await addImports({ tx, agentId, areaIds, marker, at })
  return { firmwareId, beforeId, voiceId, runningId, readyId, actionIds: [first, second], ...imports }
}

/** Batches of vehicles of each area: one with a good and a bad line, and one that was committed. */
async function addImports(options: {
  tx: Tx
  agentId: number
  areaIds: readonly [number, number]
  marker: string
  at: Date
}): Promise<Pick<UpgradeThings, 'importIds' | 'committedImportIds'>> {
  const { tx, agentId, areaIds, marker, at } = options
  const batch = async (index: 0 | 1, state: 'checked' | 'committed'): Promise<number> => {
    const place = { agent_id: agentId, area_id: areaIds[index] }
    const by = `${marker} clerk`
    const { id } = await tx
      .insertInto('vehicle_import')
      .values({
        ...place,
        state,
        name: `${marker} ${state}.csv`,
        sha256: createHash('sha256').update(marker).digest('hex'),
        protocol: 'omni',
        total: 2,
        bad: 1,
        made: state === 'committed' ? 1 : 0,
        created_at: at,
        created_by: by,
        ...(state === 'committed' && { committed_at: at, committed_by: by }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const number = `${state === 'checked' ? 'CH' : 'CM'}${agentId}X${index}`
    const line = {
      ...place,
      import_id: id,
      serial: `${marker}-${index}`,
      mac: '',
      iccid: '',
      model: `${marker} model`,
      number,
      imei: `86${String(agentId).padStart(2, '0')}${index}${state === 'checked' ? 1 : 2}000000001`,
    }
    await tx
      .insertInto('vehicle_import_row')
      .values([
        { ...line, line: 2, problems: [] },
        { ...line, line: 3, problems: ['number_double'] },
      ])
      .execute()
    return id
  }
  return {
    importIds: [await batch(0, 'checked'), await batch(1, 'checked')],
    committedImportIds: [await batch(0, 'committed'), await batch(1, 'committed')],
  }
}
