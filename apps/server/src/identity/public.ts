import type { operatorDeviceEndpoints } from '@saddle/contract/identity/devices.ts'
import type { loginEndpoints } from '@saddle/contract/identity/login.ts'
import type { passkeyEndpoints } from '@saddle/contract/identity/passkeys.ts'
import type { wallScreenEndpoints } from '@saddle/contract/identity/screens.ts'
import type { selfEndpoints } from '@saddle/contract/identity/self.ts'
import type { sessionEndpoints } from '@saddle/contract/identity/session.ts'
import type { Audit } from '#audit/public.ts'
import type { Caller, Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { type AccessChange, changeRowsOf, recordChanges } from './access/changes.ts'
import { createAccessWatch } from './access/watch.ts'
import { createBackground } from './background.ts'
import { createDeviceAuthorisation, type DeviceAuthorisation } from './devices/authorisation.ts'
import { createDeviceHandlers } from './devices/handlers.ts'
import { approveRecent, readSessionDevice } from './devices/store.ts'
import { createKeyExchange } from './keys/exchange.ts'
import { createLoginHandlers } from './login/handlers.ts'
import { createTickets } from './login/tickets.ts'
import { changeOperator, countNamedAreas, operatorUses, removeOperator, setOperatorState } from './operator/change.ts'
import { insertOperator, type NewOperator } from './operator/create.ts'
import { createIdentitySecrets, type IdentitySecrets } from './secrets.ts'
import { createPasskeyHandlers } from './passkeys/handlers.ts'
import { removePasskeysOf } from './passkeys/store.ts'
import { createScreenHandlers } from './screens/handlers.ts'
import { createSelfHandlers } from './self/handlers.ts'
import { identityTopics, createSessionDirectory } from './session/directory.ts'
import { createSessionHandlers } from './session/handlers.ts'
import { endSessions, readAccess } from './session/store.ts'
import { maskPhone } from './session/rules.ts'
import { chooseSmsProvider } from './sms/choose.ts'
import { createSmsCodes } from './sms/codes.ts'
import type { SmsProvider } from './sms/provider.ts'
import { forgetFailures } from './sms/store.ts'
import { sweep, sweepEveryMs } from './sweep.ts'
import { createTotpHandlers } from './totp/handlers.ts'
import { disableTotp } from './totp/store.ts'

export { identityKeyed } from './keyed.ts'
export type { AccessChange } from './access/changes.ts'
export type { DeviceAuthorisation } from './devices/authorisation.ts'
export type { NewOperator } from './operator/create.ts'
export { identityTopics, type Session } from './session/directory.ts'
export type { SmsMessage } from './sms/provider.ts'
export type IdentityEndpoints = typeof loginEndpoints &
  typeof sessionEndpoints &
  typeof operatorDeviceEndpoints &
  typeof passkeyEndpoints &
  typeof selfEndpoints &
  typeof wallScreenEndpoints
export type Identity = Awaited<ReturnType<typeof createIdentity>>

export interface IdentityOptions {
  readonly audit: Audit
  /** Decides which browsers may log in; by default as the company has set. */
  readonly deviceAuthorisation?: DeviceAuthorisation
  /** By default the provider named in the configuration. */
  readonly smsProvider?: SmsProvider
}

/** Login, sessions, keys and operators (specification, sections 4 and 7). */
export async function createIdentity(kit: Kit, options: IdentityOptions) {
  const { config, db, clock, random, log, bus } = kit
  const { audit } = options
  const secrets = createIdentitySecrets(kit.secrets)
  const background = createBackground({ log })
  const { provider, outbox } =
    options.smsProvider === undefined ? chooseSmsProvider(kit) : { provider: options.smsProvider, outbox: null }
  const directory = createSessionDirectory({ db, clock, bus, log, secrets, background })
  const watch = createAccessWatch({ db, clock, bus, log, forget: directory.forget })
  const tickets = createTickets({ db, clock, random, secrets })
  const exchange = createKeyExchange(secrets.exchangeSeed())
  const limits = {
    perPhoneDaily: config.smsPerPhoneDaily,
    perAddressHourly: config.smsPerAddressHourly,
    dailyBudget: config.smsDailyBudget,
  }
  const onSent = (agentId: number): void => bus.publish(identityTopics.smsSent, { agentId })
  const sms = createSmsCodes({ db, clock, random, log, secrets, provider, background, limits, onSent })
  const authorisation = options.deviceAuthorisation ?? createDeviceAuthorisation(db)
  const common = { db, clock, random, log, secrets, audit, directory }
  const handlers: Handlers<IdentityEndpoints> = {
    ...createLoginHandlers({ ...common, authorisation, sms, tickets, exchange, background }),
    ...createSessionHandlers({ db, secrets, audit }),
    ...createDeviceHandlers(common),
    ...createPasskeyHandlers({ ...common, authorisation }),
    ...createSelfHandlers(common),
    ...createScreenHandlers(common),
    ...createTotpHandlers({ ...common, pollAfterCommit: (tx) => db.afterCommit(tx, watch.poll) }),
  }
  return {
    handlers,
    sessions: directory,
    /** For the guard of calls that come before a session: the ticket of a `pre` cookie. */
    tickets,
    /** The local outbox, if it is the provider; null when messages are really sent. */
    outbox,
    /** Sends a short text to a telephone; null where no template for texts is configured. */
    sendText: provider.sendText ?? null,
    /** The public key that clients seal their key request to (X25519, base64url). */
    serverKey: await exchange.publicKey(),
    /** Adds an operator in the caller's transaction, which must see the franchisee, and returns the id. */
    createOperator: (tx: Tx, operator: NewOperator): Promise<number> =>
      insertOperator({ tx, random, secrets, operator }),
    /** What an operator may do and see now, for work that goes on without their session; null when they may not log in. */
    accessOf: (operatorId: number) => accessOf(operatorId, db, secrets),
    /** Operator rows, for user administration; call `accessChanged` after each change. */
    operators: {
      change: changeOperator,
      setState: setOperatorState,
      remove: removeOperator,
      uses: (operatorId: number) => operatorUses(db, operatorId),
      namedAreas: (operatorId: number) => countNamedAreas(db, operatorId),
      /**
       * Removes an operator's second factor, passkeys and failure counts, and ends their sessions: their phone may be in
       * someone else's possession. `alongside` runs in the same transaction.
       */
      resetSecondFactor: async (operatorId: number, alongside: (tx: Tx) => Promise<void>): Promise<void> => {
        await db.system(async (tx) => {
          await disableTotp(tx, operatorId)
          await removePasskeysOf(tx, operatorId)
          await forgetFailures(tx, operatorId)
          await endSessions({ tx, ending: { operatorId }, at: new Date(clock.now()) })
          await alongside(tx)
          db.afterCommit(tx, watch.poll)
        })
      },
      phoneHash: secrets.phoneHash,
      phone: secrets.openPhone,
      masked: maskPhone,
      maskedPhone: (sealed: string): string => maskPhone(secrets.openPhone(sealed)),
    },
    /**
     * Call it in every transaction that changes what a user may do or see: state, role, permissions of a role, areas,
     * franchisees. Sessions and live sockets follow: on this server when the transaction's promise resolves, on the
     * others within a second. Disabled users lose their sessions.
     */
    accessChanged: async (tx: Tx, change: AccessChange): Promise<void> => {
      await recordChanges(tx, changeRowsOf(change))
      db.afterCommit(tx, watch.poll)
    },
    /** Approves the browser of the call, so that an administrator who turns on device authorisation is not locked out. */
    approveOwnDevice: async (tx: Tx, call: SessionCall): Promise<void> => {
      const { sessionId, agentId, name } = call.caller
      const sessionDeviceId = await readSessionDevice(db, sessionId)
      await approveRecent(tx, { agentId, since: null, sessionDeviceId, by: name, at: new Date(clock.now()) })
    },
    /** Polls for access changes of other servers until the returned function is called. */
    startAccessWatch: watch.start,
    /** Deletes expired login data, and returns the number of rows. */
    sweep: () => sweep({ db, clock }),
    /** Sweeps every ten minutes until the returned function is called. */
    startBackground: (): (() => void) => {
      const timer = setInterval(() => {
        background.run('login sweep', async () => {
          const rows = await sweep({ db, clock })
          if (rows > 0) log.debug({ rows }, 'old login data was deleted')
        })
      }, sweepEveryMs).unref()
      return () => clearInterval(timer)
    },
    /** Resolves when background messages, audit records and activity updates are done. */
    idle: () => background.idle(),
    /** Stops listening and waits for running work; call it before the database closes. */
    close: async (): Promise<void> => {
      directory.close()
      await background.idle()
    },
  }
}

async function accessOf(
  operatorId: number,
  db: Kit['db'],
  secrets: IdentitySecrets,
): Promise<{ readonly caller: Caller; readonly grant: Scope } | null> {
  const row = await readAccess(db, operatorId)
  if (row === null) return null
  const { agentId, name, agentIds, areaIds } = row
  const permissions = new Set([...row.codes, 'all'])
  const caller = { sessionId: 0, operatorId, agentId, phone: secrets.openPhone(row.phoneSealed), name, permissions }
  return { caller, grant: { agentIds, areaIds, operatorId } }
}
