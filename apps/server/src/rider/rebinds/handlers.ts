import { rebindFields, rebindList, type rebindEndpoints } from '@saddle/contract/rider/rebinds.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { serveList } from '#kit/list/serveList.ts'
import { maskName } from '../people/seals.ts'
import type { RiderParts } from '../parts/parts.ts'
import { lockRider } from '../parts/rider.ts'
import {
  changePhone,
  decideRebind,
  lockRebind,
  rebindOf,
  rebindRows,
  selectRebind,
  setIdNumber,
  wantedOf,
  type RebindRow,
} from './store.ts'

/** Riders who have another phone, or want the ID document of an older account of theirs. */
export function createRebindHandlers(parts: RiderParts): Handlers<typeof rebindEndpoints> {
  const { kit, photos, riders, seals } = parts
  const list = serveList(parts, rebindList, {
    name: 'rebinds',
    prepare: async (filter, { scope }) => ({ riderIds: await riders.idsOf(scope, filter) }),
    rows: rebindRows,
    present: (row) => {
      const { holder_hash: hash, holder_phone: phone, wanted_name: sealed } = row
      const holder = hash === null || phone === null ? null : { phone_hash: hash, phone_sealed: phone }
      return {
        ...rebindOf(row, seals),
        company: row.company,
        phone: riders.maskedPhone(row),
        name: riders.maskedName(row),
        wantedName:
          sealed === null ? null : maskName(seals.openName({ name_sealed: sealed, phone_hash: row.new_hash })),
        holderPhone: holder === null ? null : riders.maskedPhone(holder),
        holderName: holder === null ? null : riders.maskedName({ ...holder, name_sealed: row.holder_name }),
      }
    },
    file: { action: 'rebind.export', fields: rebindFields },
  })
  return {
    listRebinds: list.page,
    exportRebinds: list.file,

    decideRebind: async ({ id, decision, reason }, call) => {
      const { scope, caller } = call
      try {
        return await kit.db.withScope(scope, async (tx) => {
          const row = await lockRebind(tx, { id, scope })
          if (row === undefined) throw new AppError('not_found')
          if (row.state !== 'waiting') throw new AppError('request_decided')
          const by = { operatorId: caller.operatorId, operatorName: caller.name, at: new Date(kit.clock.now()) }
          const oldSealed = decision === 'approved' ? await rebind(parts, tx, call, row) : null
          await decideRebind(tx, row, { state: decision, oldSealed, reason, ...by })
          const action = decision === 'approved' ? 'rebind.approved' : 'rebind.refused'
          await note(parts, tx, call, { row, action, reason })
          const decided = await lockRebind(tx, { id, scope })
          if (decided === undefined) throw new AppError('not_found')
          return { suc: true, data: rebindOf(decided, seals) }
        })
      } catch (error) {
        // Somebody else has it by now.
        if (isTaken(error)) throw new AppError('rebind_taken', { cause: error })
        throw error
      }
    },

    rebindPhotos: async ({ id }, { scope }) => {
      const [row] = await kit.db.read(scope, (k) => selectRebind({ id, scope }).compile(k))
      if (row === undefined) throw new AppError('not_found')
      return { suc: true, data: { list: await photos.read(scope, { purpose: 'certificate', ids: row.photo_ids }) } }
    },
  }
}

/** Does what was asked for; resolves to what the rider had before, sealed. */
async function rebind(
  { kit, seals }: RiderParts,
  tx: Tx,
  { scope }: SessionCall,
  row: RebindRow,
): Promise<string | null> {
  // In the order of their ids, so that two decisions about the same two people do not wait for each other.
  const ids = [row.rider_id, ...(row.holder_id === null ? [] : [row.holder_id])].toSorted((a, b) => a - b)
  const locked = []
  for (const riderId of ids) locked.push(await lockRider(tx, { riderId, scope }))
  const rider = locked.find(({ id }) => id === row.rider_id)
  if (rider === undefined) throw new AppError('not_found')
  const wanted = wantedOf(row, seals).number
  if (row.kind === 'phone') {
    const phone = seals.sealPhone(wanted)
    const { name_sealed, phone_hash } = rider
    const name = name_sealed === null ? null : seals.openName({ name_sealed, phone_hash })
    await changePhone(tx, rider, { ...phone, nameSealed: name === null ? null : seals.sealName(name, phone.hash) })
    return rider.phone_sealed
  }
  const holder = locked.find(({ id }) => id === row.holder_id)
  // Since it was asked for, the holder may have lost it: whoever has it now is asked about anew.
  if (holder === undefined || holder.cert_hash !== row.new_hash || row.wanted_name === null) {
    throw new AppError('rebind_taken')
  }
  const name = seals.openName({ name_sealed: row.wanted_name, phone_hash: row.new_hash })
  await setIdNumber(tx, holder, null)
  await setIdNumber(tx, rider, {
    ...seals.sealIdNumber(wanted),
    nameHash: seals.nameHash(name),
    nameSealed: seals.sealName(name, rider.phone_hash),
    at: new Date(kit.clock.now()),
  })
  return rider.cert_sealed
}

async function note(
  { audit }: RiderParts,
  tx: Tx,
  call: SessionCall,
  { row, action, reason }: { readonly row: RebindRow; readonly action: string; readonly reason: string },
): Promise<void> {
  const holder = row.holder_id === null ? [] : [{ kind: 'rider', id: row.holder_id }]
  await audit.act(tx, call, {
    agentId: row.agent_id,
    action,
    subjectKind: 'rider',
    subjectId: row.rider_id,
    about: holder,
    after: { id: row.id, kind: row.kind, reason, ...(row.holder_id !== null && { riderId: row.holder_id }) },
  })
}
