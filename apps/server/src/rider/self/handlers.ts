import type { riderSelfEndpoints } from '@saddle/contract/rider/self.ts'
import { certificateKinds, certificateStates } from '@saddle/contract/rider/certificates.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { InputOf, OutputOf } from '@saddle/contract/endpoint.ts'
import type { AppCall, Handlers } from '#kit/call.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import { codeOf } from '#kit/codes.ts'
import type { RiderParts } from '../parts/parts.ts'
import { lockRider, type RiderRow } from '../parts/rider.ts'
import { insertCertificate, selectCertificatesOf } from '../certificates/store.ts'
import { insertRebind, setIdNumber } from '../rebinds/store.ts'
import { findHolder } from './store.ts'

type Self = OutputOf<typeof riderSelfEndpoints.openApp>['data']

/** What applications say of a rider and ask for on behalf of one. */
export function createSelfHandlers(parts: RiderParts): Handlers<typeof riderSelfEndpoints> {
  const { kit, photos, riders, seals } = parts
  const now = (): Date => new Date(kit.clock.now())
  const keepAll = async (tx: Tx, rider: RiderRow, files: readonly string[]): Promise<string[]> => {
    const ids: string[] = []
    for (const file of files) {
      ids.push(await photos.keep(tx, { agentId: rider.agent_id, areaId: null, purpose: 'certificate', file }))
    }
    return ids
  }
  return {
    openApp: async ({ device, ...asked }, call) => {
      const data = await kit.db.system(async (tx) => {
        const rider = await meet(parts, tx, call, asked)
        await riders.noteActive(tx, rider.id)
        await riders.noteDevice(tx, { riderId: rider.id, agentId: rider.agent_id, appId: call.app.id, device })
        return selfOf(parts, tx, rider)
      })
      return { suc: true, data }
    },

    certifyRider: async ({ name, certNumber, ...asked }, call) => {
      const data = await withTaken('certificate_taken', () =>
        kit.db.system(async (tx) => {
          const rider = await meet(parts, tx, call, asked)
          const certificate = seals.sealIdNumber(certNumber)
          // Said again, perhaps because the first answer was lost.
          if (rider.cert_hash !== null && rider.cert_hash !== certificate.hash) throw new AppError('already_certified')
          if (rider.cert_hash === null) {
            const sealed = { nameHash: seals.nameHash(name), nameSealed: seals.sealName(name, rider.phone_hash) }
            await setIdNumber(tx, rider, { ...certificate, ...sealed, at: now() })
          }
          return selfOf(parts, tx, await again(tx, rider))
        }),
      )
      return { suc: true, data }
    },

    submitCertificate: async ({ kind, organisation, photos: files, ...asked }, call) => {
      const data = await withTaken('request_waiting', () =>
        kit.db.system(async (tx) => {
          const rider = await meet(parts, tx, call, asked)
          const photoIds = await keepAll(tx, rider, files)
          const own = { agentId: rider.agent_id, riderId: rider.id }
          await insertCertificate(tx, { ...own, kind, organisation, photoIds, at: now() })
          return selfOf(parts, tx, rider)
        }),
      )
      return { suc: true, data }
    },

    askRebind: async ({ photos: files, claim, ...asked }, call) => {
      await withTaken('request_waiting', () =>
        kit.db.system(async (tx) => {
          const rider = await meet(parts, tx, call, asked)
          const wanted = await wantedBy(parts, tx, rider, asked)
          const photoIds = await keepAll(tx, rider, files)
          await insertRebind(tx, { rider, ...wanted, claim, photoIds, at: now() })
        }),
      )
      return { suc: true, data: { state: 'waiting' } }
    },
  }
}

/** Runs the work; that a row of its kind is there already is a refusal of its own. */
async function withTaken<T>(code: 'certificate_taken' | 'request_waiting', work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isTaken(error)) throw new AppError(code, { cause: error })
    throw error
  }
}

/** The rider with this number, locked; who is new is added. */
async function meet(
  { riders }: RiderParts,
  tx: Tx,
  { app }: AppCall,
  asked: { readonly phone: string; readonly agentId?: number | undefined },
): Promise<RiderRow> {
  const [only, ...others] = app.agentIds
  if (asked.agentId === undefined && others.length > 0) throw new AppError('franchisee_missing')
  const agentId = asked.agentId ?? only
  if (agentId === undefined || !app.agentIds.includes(agentId)) throw new AppError('not_found')
  const [riderId = 0] = await riders.ensure(tx, [{ agentId, phone: asked.phone, name: null }])
  return lockRider(tx, { riderId, scope: scopeOfAgent(agentId) })
}

const again = (tx: Tx, rider: RiderRow): Promise<RiderRow> =>
  lockRider(tx, { riderId: rider.id, scope: scopeOfAgent(rider.agent_id) })

async function selfOf({ riders }: RiderParts, tx: Tx, rider: RiderRow): Promise<Self> {
  const { rows } = await selectCertificatesOf(rider).execute(tx)
  const [latest] = rows
  return {
    certified: rider.cert_hash !== null,
    banned: await riders.isBarred(tx, rider.id),
    certificate:
      latest === undefined
        ? null
        : {
            kind: codeOf(certificateKinds, latest.kind),
            state: codeOf(certificateStates, latest.state),
            reason: latest.reason,
          },
  }
}

type AskedRebind = Pick<InputOf<typeof riderSelfEndpoints.askRebind>, 'newPhone' | 'name' | 'certNumber'>

async function wantedBy({ seals }: RiderParts, tx: Tx, rider: RiderRow, asked: AskedRebind) {
  const { newPhone, name, certNumber } = asked
  if (newPhone !== undefined) {
    return { kind: 'phone' as const, wanted: seals.sealPhone(newPhone), nameSealed: null, holderId: null }
  }
  if (name === undefined || certNumber === undefined) throw new AppError('bad_request', { values: { detail: 'name' } })
  const wanted = seals.sealIdNumber(certNumber)
  const holderId = await findHolder(tx, { agentId: rider.agent_id, certHash: wanted.hash })
  // Nobody holds it: it need not be moved.
  if (holderId === undefined) throw new AppError('rebind_needless')
  if (holderId === rider.id) throw new AppError('already_certified')
  return { kind: 'certificate' as const, wanted, nameSealed: seals.sealName(name, wanted.hash), holderId }
}
