import { quickLoginLifetimeMs, smsCountdownSeconds } from '@saddle/contract/constants.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { loginCookies } from '@saddle/contract/identity/limits.ts'
import type { loginEndpoints } from '@saddle/contract/identity/login.ts'
import type { Background } from '#identity/background.ts'
import { assertDevice } from '#identity/devices/authorisation.ts'
import { rememberBrowser } from '#identity/devices/remember.ts'
import type { KeyExchange } from '#identity/keys/exchange.ts'
import { issueKeys } from '#identity/keys/issue.ts'
import { findOperatorById, findOperatorByPhone } from '#identity/operator/store.ts'
import { encodeOrigin, readOrigin } from '#identity/quickLogin/rules.ts'
import { endSessions } from '#identity/session/store.ts'
import type { SmsCodes } from '#identity/sms/codes.ts'
import type { CodeVerdict } from '#identity/sms/rules.ts'
import type { Call, Handlers, PresessionCall } from '#kit/call.ts'
import { randomId, sha256 } from '#kit/crypto.ts'
import type { Tx } from '#kit/db/pool.ts'
import { deviceHashOf, openSession, type OpenDeps } from './open.ts'
import type { Tickets } from './tickets.ts'

export interface LoginDeps extends OpenDeps {
  readonly sms: SmsCodes
  readonly tickets: Tickets
  readonly exchange: KeyExchange
  readonly background: Background
}

/** Handlers of the login, in the order of its steps. */
export function createLoginHandlers(deps: LoginDeps): Handlers<typeof loginEndpoints> {
  return { ...codeHandlers(deps), ...ticketHandlers(deps), ...quickHandlers(deps), ...sessionHandlers(deps) }
}

type Part<K extends keyof typeof loginEndpoints> = Pick<Handlers<typeof loginEndpoints>, K>

function codeHandlers(deps: LoginDeps): Part<'requestSmsCode' | 'lookUpUser' | 'verifySmsCode' | 'loginByPhone'> {
  const { db, secrets, sms, tickets } = deps
  const spendCode = async <T>(
    options: { phone: string; code: string; call: Call },
    accepted: (tx: Tx) => Promise<T>,
  ): Promise<T> => {
    const { phone, code, call } = options
    // A failure is counted in the same transaction, so it must not be thrown inside of it.
    const outcome = await db.system(async (tx) => {
      const verdict = await sms.check({ tx, phone, code, address: call.address, deviceHash: deviceHashOf(call) })
      return verdict === 'accepted' ? { verdict, value: await accepted(tx) } : { verdict }
    })
    if ('value' in outcome) return outcome.value
    noteFailure(deps, { phone, call, verdict: outcome.verdict })
    throw new AppError(outcome.verdict === 'blocked' ? 'sms_too_many' : 'code_invalid')
  }
  return {
    requestSmsCode: async ({ mobilePhoneNumber }, call) => {
      await sms.request({ phone: mobilePhoneNumber, address: call.address, deviceHash: deviceHashOf(call) })
      return { suc: true, resendAfterSeconds: smsCountdownSeconds }
    },
    lookUpUser: async ({ mobilePhoneNumber }) => ({ objectId: secrets.objectId(mobilePhoneNumber) }),
    verifySmsCode: async ({ mobilePhoneNumber: phone, smsCode: code }, call) => {
      const value = await spendCode({ phone, code, call }, (tx) => tickets.issue(tx, { phone, kind: 'sms' }))
      tickets.setCookie(call, value)
      return { objectId: secrets.objectId(phone) }
    },
    loginByPhone: async ({ mobilePhoneNumber: phone, smsCode: code }, call) => {
      await spendCode({ phone, code, call }, async () => null)
      return { suc: true, data: await openSession(deps, { call, phone, kind: 'phone' }) }
    },
  }
}

/** Wrong codes for an operator's number are audited, in the background after the answer. */
function noteFailure(deps: LoginDeps, options: { phone: string; call: Call; verdict: CodeVerdict }): void {
  const { db, secrets, audit, background } = deps
  const { phone, call, verdict } = options
  const { address, requestId } = call
  if (verdict !== 'wrong') return
  background.run('failed login', () =>
    db.system(async (tx) => {
      const operator = await findOperatorByPhone(tx, secrets.phoneHash(phone))
      if (operator === null) return
      const { id, agentId } = operator
      const subject = { subjectKind: 'operator', subjectId: id }
      const after = { refusal: 'code_invalid' }
      await audit.write(tx, {
        agentId,
        operatorId: null,
        action: 'session.code_wrong',
        ...subject,
        after,
        address,
        requestId,
      })
    }),
  )
}

function ticketHandlers(deps: LoginDeps): Part<'bindDevice' | 'lookUpOperator' | 'permissionLogin'> {
  const { db, secrets, tickets } = deps
  return {
    bindDevice: async (input, call) => {
      await assertOwnPhone(deps, { phone: input.mobilePhoneNumber, call })
      return { suc: true, data: { authorised: await bindDevice(deps, { name: input.device_name, call }) } }
    },
    lookUpOperator: async ({ phone }, call) => {
      await assertOwnPhone(deps, { phone, call })
      const operator = await db.system((tx) => findOperatorByPhone(tx, secrets.phoneHash(phone)))
      return { suc: true, data: { opManId: operator?.opManId ?? secrets.standInOpManId(phone) } }
    },
    permissionLogin: async ({ opManId }, call) => {
      const { id, phone, kind } = call.ticket
      if (kind !== 'sms') throw new AppError('login_failed')
      const spend = (tx: Tx): Promise<boolean> => tickets.spend(tx, id)
      return { suc: true, data: await openSession(deps, { call, phone, kind, opManId, spend }) }
    },
  }
}

/** A ticket is valid for one number. Throws `forbidden` for any other, and writes an audit line. */
async function assertOwnPhone(deps: LoginDeps, options: { phone: string; call: PresessionCall }): Promise<void> {
  const { phone, call } = options
  if (phone === call.ticket.phone) return
  await deps.db.system(async (tx) => {
    const operator = await findOperatorByPhone(tx, deps.secrets.phoneHash(call.ticket.phone))
    if (operator === null) return
    await deps.audit.write(tx, {
      agentId: operator.agentId,
      operatorId: operator.id,
      action: 'session.foreign_lookup',
      subjectKind: 'operator',
      subjectId: operator.id,
      address: call.address,
      requestId: call.requestId,
    })
  })
  throw new AppError('forbidden')
}

/** Remembers the browser with the ticket's person, and asks whether it may be used. */
async function bindDevice(deps: LoginDeps, options: { name: string; call: PresessionCall }): Promise<true> {
  const { db, secrets, authorisation, log } = deps
  const { name, call } = options
  const found = await db.system((tx) => findOperatorByPhone(tx, secrets.phoneHash(call.ticket.phone)))
  const operator = found && { id: found.id, agentId: found.agentId }
  const deviceHash = await rememberBrowser(deps, { operator, name, call })
  if (operator !== null) await assertDevice({ authorisation, check: { operator, deviceHash }, log })
  return true
}

function quickHandlers(deps: LoginDeps): Part<'createQuickLogin' | 'verifySign' | 'loginAuthorised'> {
  const { db, clock, random, secrets, tickets, audit } = deps
  return {
    createQuickLogin: async (_, call) => {
      const issuedAt = clock.now()
      const { operatorId, agentId } = call.caller
      const { address, requestId } = call
      const subject = { subjectKind: 'operator', subjectId: operatorId }
      await db.system((tx) =>
        audit.write(tx, { agentId, operatorId, action: 'session.quick_link', ...subject, address, requestId }),
      )
      const origin = { operatorId, host: call.host, issuedAt, nonce: randomId(random) }
      return {
        suc: true,
        data: { origin: encodeOrigin(origin, secrets.signOrigin), expiresAt: issuedAt + quickLoginLifetimeMs },
      }
    },
    verifySign: async ({ origin: text }, call) => {
      const nowMs = clock.now()
      const origin = readOrigin({ text, sign: secrets.signOrigin, host: call.host, nowMs })
      if (origin === null) throw new AppError('quick_login_invalid')
      const issued = await db.system(async (tx) => {
        const used = await tx
          .insertInto('quick_login_used')
          .values({ nonce_hash: sha256(origin.nonce), used_at: new Date(nowMs) })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst()
        if (used.numInsertedOrUpdatedRows !== 1n) return null
        const operator = await findOperatorById(tx, origin.operatorId)
        if (operator === null || !operator.isEnabled) return null
        const phone = secrets.openPhone(operator.phoneSealed)
        const value = await tickets.issue(tx, { phone, kind: 'quick' })
        return { phone, opManId: operator.opManId, value }
      })
      if (issued === null) throw new AppError('quick_login_invalid')
      tickets.setCookie(call, issued.value)
      return { suc: true, data: { objectId: secrets.objectId(issued.phone), opManId: issued.opManId } }
    },
    loginAuthorised: async ({ opManId }, call) => {
      const { id, phone, kind } = call.ticket
      if (kind !== 'quick') throw new AppError('quick_login_invalid')
      const spend = (tx: Tx): Promise<boolean> => tickets.spend(tx, id)
      return { suc: true, data: await openSession(deps, { call, phone, kind, opManId, spend }) }
    },
  }
}

function sessionHandlers(deps: LoginDeps): Part<'signingKey' | 'logout'> {
  const { db, clock, audit, directory } = deps
  return {
    signingKey: async ({ params }, call) => {
      const aesKey = await issueKeys(deps, { params, sessionId: call.caller.sessionId })
      return { suc: true, data: { aesKey } }
    },
    logout: async (_, call) => {
      const { sessionId, operatorId, agentId } = call.caller
      const handles = await db.system(async (tx) => {
        const ended = await endSessions({ tx, ending: { sessionId }, at: new Date(clock.now()) })
        const subject = { subjectKind: 'session', subjectId: sessionId }
        const { address, requestId } = call
        await audit.write(tx, { agentId, operatorId, action: 'session.logout', ...subject, address, requestId })
        return ended
      })
      for (const handle of handles) directory.changed(handle)
      call.clearCookie(loginCookies.session)
      call.clearCookie(loginCookies.csrf, { readable: true })
      return { suc: true, data: {} }
    },
  }
}
