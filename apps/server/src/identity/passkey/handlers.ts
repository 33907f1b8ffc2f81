import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { z } from 'zod'
import { AppError } from '@saddle/contract/errors.ts'
import {
  passkeyChallengeLifetimeMs,
  passkeysPerOperatorMax,
  type passkeyEndpoints,
} from '@saddle/contract/identity/passkeys.ts'
import { utf8 } from '@saddle/contract/wire/bytes.ts'
import { rememberBrowser } from '#identity/device/remember.ts'
import { openSession, type OpenParts } from '#identity/login/open.ts'
import { findOperatorById } from '#identity/operator/store.ts'
import { maskPhone } from '#identity/session/rules.ts'
import { endFailuresInRow } from '#identity/sms/store.ts'
import type { Call, Handlers, SessionCall } from '#kit/call.ts'
import { randomId, sha256 } from '#kit/crypto.ts'
import type { Tx } from '#kit/db/pool.ts'
import { type ChallengeUse, makeChallenge, originsOf, readChallenge, relyingPartyOf } from './rules.ts'
import { findPasskey, markUsed, passkeysOf, type StoredPasskey } from './store.ts'

type Endpoints = typeof passkeyEndpoints
type Asserted = z.output<Endpoints['passkeyLogin']['input']>
type Created = z.output<Endpoints['addPasskey']['input']>['credential']

/** Ed25519, ES256 and RS256: what devices have. Signatures of the post-quantum kind would not fit the bound of a body. */
const supportedAlgorithmIDs = [-8, -7, -257]

/** Login by a passkey, and the passkeys of one's own. */
export function createPasskeyHandlers(parts: OpenParts): Handlers<Endpoints> {
  return { ...loginHandlers(parts), ...ownHandlers(parts) }
}

function loginHandlers(parts: OpenParts): Pick<Handlers<Endpoints>, 'beginPasskeyLogin' | 'passkeyLogin'> {
  const { db, clock, secrets } = parts
  return {
    beginPasskeyLogin: async (_, call) => {
      const { challenge } = await generateAuthenticationOptions({
        rpID: nameOf(call),
        challenge: challengeFor(parts, 'login'),
      })
      const timeout = passkeyChallengeLifetimeMs
      return { suc: true, data: { challenge, rpId: nameOf(call), timeout, userVerification: 'required' } }
    },

    passkeyLogin: async (asserted, call) => {
      const passkey = await db.system((tx) => findPasskey(tx, asserted.id))
      const proof = passkey && (await verifyAssertion(parts, { asserted, passkey, call }))
      if (passkey === null || proof === null) throw new AppError('passkey_invalid')
      const at = new Date(clock.now())
      const operator = await db.system(async (tx) => {
        const isFresh = await spendNonce(tx, { nonce: proof.nonce, at })
        if (!isFresh || !(await markUsed(tx, passkey, { ...proof, at }))) return null
        const found = await findOperatorById(tx, passkey.operatorId)
        if (found !== null) await endFailuresInRow(tx, secrets.phoneHash(secrets.openPhone(found.phoneSealed)))
        return found
      })
      if (operator === null) throw new AppError('passkey_invalid')
      const device = await rememberBrowser(parts, { operator, name: '', call })
      const phone = secrets.openPhone(operator.phoneSealed)
      const data = await openSession(parts, { call, phone, kind: 'passkey', deviceHash: device })
      return { suc: true, data: { ...data, opManId: operator.opManId } }
    },
  }
}

/** What the device's signature proves; null when it does not. */
async function verifyAssertion(
  { clock, secrets }: OpenParts,
  { asserted, passkey, call }: { asserted: Asserted; passkey: StoredPasskey; call: Call },
): Promise<{ nonce: string; useCount: number; synced: boolean } | null> {
  if (relyingPartyOf(call.host) !== passkey.rpId) return null
  let nonce: string | null = null
  const { userHandle, ...response } = asserted.response
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...asserted,
        response: { ...response, ...(userHandle !== undefined && { userHandle }) },
        clientExtensionResults: {},
      },
      expectedChallenge: (challenge) => {
        nonce = readChallenge({ challenge, use: 'login', nowMs: clock.now(), sign: secrets.signChallenge })
        return nonce !== null
      },
      expectedOrigin: originsOf(call.host),
      expectedRPID: passkey.rpId,
      credential: { id: passkey.credentialId, publicKey: passkey.publicKey, counter: passkey.useCount },
      requireUserVerification: true,
    })
    if (!verified || nonce === null) return null
    return { nonce, useCount: authenticationInfo.newCounter, synced: authenticationInfo.credentialBackedUp }
  } catch {
    // The library throws for everything that does not fit; to the caller it is one and the same.
    return null
  }
}

type OwnEndpoints = Omit<Endpoints, 'beginPasskeyLogin' | 'passkeyLogin'>

function ownHandlers(parts: OpenParts): Handlers<OwnEndpoints> {
  const { db, clock } = parts
  return {
    listPasskeys: async (_, call) => {
      const rows = await db.system((tx) => passkeysOf(tx, call.caller.operatorId))
      return { suc: true, data: { list: rows.map(shown) } }
    },

    beginPasskey: async (_, call) => {
      const { operatorId, agentId, name, phone } = call.caller
      const { rows, company } = await db.system(async (tx) => ({
        rows: await passkeysOf(tx, operatorId),
        company: await companyOf(tx, agentId),
      }))
      if (rows.length >= passkeysPerOperatorMax) throw new AppError('passkey_too_many')
      const made = await generateRegistrationOptions({
        rpName: company,
        rpID: nameOf(call),
        userName: maskPhone(phone),
        userDisplayName: name,
        // The browser shows it to nobody; the same person has the same one.
        userID: new Uint8Array(utf8(parts.secrets.objectId(phone))),
        challenge: new Uint8Array(challengeFor(parts, `add ${operatorId}`)),
        attestationType: 'none',
        supportedAlgorithmIDs,
      })
      return {
        suc: true,
        data: {
          rp: { id: nameOf(call), name: company },
          user: made.user,
          challenge: made.challenge,
          pubKeyCredParams: made.pubKeyCredParams.map(({ alg }) => ({ alg, type: 'public-key' as const })),
          timeout: passkeyChallengeLifetimeMs,
          attestation: 'none' as const,
          excludeCredentials: rows.map((row) => ({ id: row.credential_id, type: 'public-key' as const })),
          authenticatorSelection: { residentKey: 'required' as const, userVerification: 'required' as const },
        },
      }
    },

    addPasskey: async ({ name, credential }, call) => {
      const { operatorId } = call.caller
      const proof = await verifyCreation(parts, { credential, call })
      if (proof === null) throw new AppError('passkey_invalid')
      const at = new Date(clock.now())
      const added = await db.system(async (tx) => {
        // One at a time, so that the bound holds.
        await tx.selectFrom('operator').select('id').where('id', '=', operatorId).forUpdate().execute()
        if (!(await spendNonce(tx, { nonce: proof.nonce, at }))) return 'passkey_invalid'
        if ((await passkeysOf(tx, operatorId)).length >= passkeysPerOperatorMax) return 'passkey_too_many'
        const row = await tx
          .insertInto('operator_passkey')
          .values({
            operator_id: operatorId,
            credential_id: credential.id,
            public_key: Buffer.from(proof.publicKey),
            rp_id: nameOf(call),
            use_count: proof.useCount,
            transports: credential.response.transports,
            synced: proof.synced,
            name,
            created_at: at,
          })
          .onConflict((conflict) => conflict.column('credential_id').doNothing())
          .returning(['id', 'name', 'synced', 'created_at', 'last_used_at'])
          .executeTakeFirst()
        if (row === undefined) return 'passkey_known'
        await writeLine(parts, { tx, call, action: 'passkey.add', after: { name } })
        return row
      })
      if (typeof added === 'string') throw new AppError(added)
      return { suc: true, data: shown(added) }
    },

    renamePasskey: async ({ id, name }, call) => {
      await changeOwn(parts, { call, id, action: 'passkey.rename', after: { name } }, (tx) =>
        tx.updateTable('operator_passkey').set({ name }).where('id', '=', id).execute(),
      )
      return { suc: true, data: {} }
    },

    removePasskey: async ({ id }, call) => {
      await changeOwn(parts, { call, id, action: 'passkey.remove', after: null }, (tx) =>
        tx.deleteFrom('operator_passkey').where('id', '=', id).execute(),
      )
      return { suc: true, data: {} }
    },
  }
}

async function verifyCreation(
  { clock, secrets }: OpenParts,
  { credential, call }: { credential: Created; call: SessionCall },
): Promise<{ nonce: string; publicKey: Uint8Array; useCount: number; synced: boolean } | null> {
  let nonce: string | null = null
  const use: ChallengeUse = `add ${call.caller.operatorId}`
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...credential, clientExtensionResults: {} },
      expectedChallenge: (challenge) => {
        nonce = readChallenge({ challenge, use, nowMs: clock.now(), sign: secrets.signChallenge })
        return nonce !== null
      },
      expectedOrigin: originsOf(call.host),
      expectedRPID: nameOf(call),
      requireUserVerification: true,
      supportedAlgorithmIDs,
    })
    if (!verified || nonce === null || registrationInfo.credential.id !== credential.id) return null
    const { publicKey, counter } = registrationInfo.credential
    return { nonce, publicKey, useCount: counter, synced: registrationInfo.credentialBackedUp }
  } catch {
    return null
  }
}

/** Changes one of the caller's own passkeys, and leaves a line with its name. Throws `not_found` for any other. */
async function changeOwn(
  parts: OpenParts,
  options: { call: SessionCall; id: number; action: string; after: { name: string } | null },
  change: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  const { call, id, action, after } = options
  await parts.db.system(async (tx) => {
    const own = await tx
      .selectFrom('operator_passkey')
      .select('name')
      .where('id', '=', id)
      .where('operator_id', '=', call.caller.operatorId)
      .forUpdate()
      .executeTakeFirst()
    if (own === undefined) throw new AppError('not_found')
    await change(tx)
    await writeLine(parts, { tx, call, action, before: { name: own.name }, ...(after !== null && { after }) })
  })
}

function challengeFor({ random, clock, secrets }: OpenParts, use: ChallengeUse): Uint8Array<ArrayBuffer> {
  const nonce = randomId(random)
  return new Uint8Array(makeChallenge({ use, nonce, nowMs: clock.now(), sign: secrets.signChallenge }))
}

/** Throws where the address has no name: a passkey belongs to a name. */
function nameOf(call: Call): string {
  const name = relyingPartyOf(call.host)
  if (name === null) throw new AppError('passkey_no_name')
  return name
}

/** False when the challenge has been answered before. */
async function spendNonce(tx: Tx, { nonce, at }: { nonce: string; at: Date }): Promise<boolean> {
  const used = await tx
    .insertInto('quick_login_used')
    .values({ nonce_hash: sha256(`passkey ${nonce}`), used_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return used.numInsertedOrUpdatedRows === 1n
}

async function companyOf(tx: Tx, agentId: number): Promise<string> {
  const own = await tx.selectFrom('agent').select('company').where('id', '=', agentId).executeTakeFirstOrThrow()
  return own.company
}

interface Row {
  readonly id: number
  readonly name: string
  readonly synced: boolean
  readonly created_at: Date
  readonly last_used_at: Date | null
}
const shown = (row: Row) => ({
  id: row.id,
  name: row.name,
  synced: row.synced,
  createdAt: row.created_at.getTime(),
  lastUsedAt: row.last_used_at?.getTime() ?? null,
})

function writeLine(
  { audit }: OpenParts,
  options: { tx: Tx; call: SessionCall; action: string; before?: { name: string }; after?: { name: string } },
): Promise<void> {
  const { tx, call, action, before, after } = options
  const { operatorId, agentId } = call.caller
  const { address, requestId } = call
  return audit.write(tx, {
    agentId,
    operatorId,
    action,
    subjectKind: 'operator',
    subjectId: operatorId,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    address,
    requestId,
  })
}
