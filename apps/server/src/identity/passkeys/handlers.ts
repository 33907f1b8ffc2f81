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
import { rememberBrowser } from '#identity/devices/remember.ts'
import { openSession, type OpenDeps } from '#identity/login/open.ts'
import { findOperatorById } from '#identity/operator/store.ts'
import { maskPhone } from '#identity/session/rules.ts'
import { endFailuresInRow } from '#identity/sms/store.ts'
import type { Call, Handlers, SessionCall } from '#kit/call.ts'
import { randomId, sha256 } from '#kit/crypto.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { RowOf } from '#kit/db/rows.ts'
import { type ChallengeUse, makeChallenge, originsOf, readChallenge, relyingPartyOf } from './rules.ts'
import { findPasskey, markUsed, passkeyRow, passkeysOf, type StoredPasskey } from './store.ts'

type Endpoints = typeof passkeyEndpoints
type Asserted = z.output<Endpoints['passkeyLogin']['input']>
type Created = z.output<Endpoints['addPasskey']['input']>['credential']

/** Ed25519, ES256 and RS256: what devices have. Post-quantum signatures would exceed the body limit. */
const supportedAlgorithmIDs = [-8, -7, -257]

/** Login with a passkey, and management of the caller's own passkeys. */
export function createPasskeyHandlers(deps: OpenDeps): Handlers<Endpoints> {
  return { ...loginHandlers(deps), ...ownHandlers(deps) }
}

function loginHandlers(deps: OpenDeps): Pick<Handlers<Endpoints>, 'beginPasskeyLogin' | 'passkeyLogin'> {
  const { db, clock, secrets } = deps
  return {
    beginPasskeyLogin: async (_, call) => {
      const { challenge } = await generateAuthenticationOptions({
        rpID: nameOf(call),
        challenge: challengeFor(deps, 'login'),
      })
      const timeout = passkeyChallengeLifetimeMs
      return { suc: true, data: { challenge, rpId: nameOf(call), timeout, userVerification: 'required' } }
    },

    passkeyLogin: async (asserted, call) => {
      const passkey = await db.system((tx) => findPasskey(tx, asserted.id))
      const proof = passkey && (await verifyAssertion(deps, { asserted, passkey, call }))
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
      const device = await rememberBrowser(deps, { operator, name: '', call })
      const phone = secrets.openPhone(operator.phoneSealed)
      const data = await openSession(deps, { call, phone, kind: 'passkey', deviceHash: device })
      return { suc: true, data: { ...data, opManId: operator.opManId } }
    },
  }
}

/** Verifies the device's signature; null when it is invalid. */
async function verifyAssertion(
  { clock, secrets }: OpenDeps,
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
    // The library throws on every mismatch; callers get the same error for all of them.
    return null
  }
}

type OwnEndpoints = Omit<Endpoints, 'beginPasskeyLogin' | 'passkeyLogin'>

function ownHandlers(deps: OpenDeps): Handlers<OwnEndpoints> {
  const { db, clock } = deps
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
        // Not shown by the browser; stable per user.
        userID: new Uint8Array(utf8(deps.secrets.objectId(phone))),
        challenge: new Uint8Array(challengeFor(deps, `add ${operatorId}`)),
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
      const proof = await verifyCreation(deps, { credential, call })
      if (proof === null) throw new AppError('passkey_invalid')
      const at = new Date(clock.now())
      const added = await db.system(async (tx) => {
        // The row lock makes calls of one operator wait for each other, so that the limit holds.
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
          .returning(['id', 'name', 'synced', 'credential_id', 'created_at', 'last_used_at'])
          .executeTakeFirst()
        if (row === undefined) return 'passkey_known'
        await noteAct(deps, { tx, call, action: 'passkey.add', after: { name } })
        return row
      })
      if (typeof added === 'string') throw new AppError(added)
      return { suc: true, data: shown(added) }
    },

    renamePasskey: async ({ id, name }, call) => {
      await changeOwn(deps, { call, id, action: 'passkey.rename', after: { name } }, (tx) =>
        tx.updateTable('operator_passkey').set({ name }).where('id', '=', id).execute(),
      )
      return { suc: true, data: {} }
    },

    removePasskey: async ({ id }, call) => {
      await changeOwn(deps, { call, id, action: 'passkey.remove', after: null }, (tx) =>
        tx.deleteFrom('operator_passkey').where('id', '=', id).execute(),
      )
      return { suc: true, data: {} }
    },
  }
}

async function verifyCreation(
  { clock, secrets }: OpenDeps,
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

/** Changes one of the caller's own passkeys and writes an audit record with its name. Throws `not_found` for any other. */
async function changeOwn(
  deps: OpenDeps,
  options: { call: SessionCall; id: number; action: string; after: { name: string } | null },
  change: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  const { call, id, action, after } = options
  await deps.db.system(async (tx) => {
    const own = await tx
      .selectFrom('operator_passkey')
      .select('name')
      .where('id', '=', id)
      .where('operator_id', '=', call.caller.operatorId)
      .forUpdate()
      .executeTakeFirst()
    if (own === undefined) throw new AppError('not_found')
    await change(tx)
    await noteAct(deps, { tx, call, action, before: { name: own.name }, ...(after !== null && { after }) })
  })
}

function challengeFor({ random, clock, secrets }: OpenDeps, use: ChallengeUse): Uint8Array<ArrayBuffer> {
  const nonce = randomId(random)
  return new Uint8Array(makeChallenge({ use, nonce, nowMs: clock.now(), sign: secrets.signChallenge }))
}

/** Throws for a bare IP address: a passkey belongs to a domain name. */
function nameOf(call: Call): string {
  const name = relyingPartyOf(call.host)
  if (name === null) throw new AppError('passkey_no_name')
  return name
}

/** False when the challenge has been used before. */
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

function shown(row: RowOf<typeof passkeyRow>) {
  const { credentialId: _, ...own } = passkeyRow.present(row)
  return own
}

function noteAct(
  { audit }: OpenDeps,
  options: { tx: Tx; call: SessionCall; action: string; before?: { name: string }; after?: { name: string } },
): Promise<void> {
  const { tx, call, ...act } = options
  const { operatorId, agentId } = call.caller
  return audit.act(tx, call, { agentId, subjectKind: 'operator', subjectId: operatorId, ...act })
}
