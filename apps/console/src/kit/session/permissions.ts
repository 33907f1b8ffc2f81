import { financialAccountEndpoints, type FinancialAccount } from '@saddle/contract/finance/account.ts'
import { sessionEndpoints } from '@saddle/contract/identity/session.ts'
import { applyFinancialStatus } from '@saddle/contract/permissions.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { ApiError, call } from '#kit/api/client.ts'
import { clientConfig } from '#kit/config.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { readStored, removeStored, writeStored } from '#kit/storage.ts'
import { createStore, useStore } from '#kit/store.ts'
import { dueFactorOf } from './secondFactor.ts'
import { currentSession, describeSession, type Session } from './store.ts'

export interface Permissions {
  readonly state: 'unknown' | 'loading' | 'ready' | 'failed'
  readonly held: ReadonlySet<string>
}

const nothing: ReadonlySet<string> = new Set()
const store = createStore<Permissions>({ state: 'unknown', held: nothing })
const account = createStore<FinancialAccount | null>(null)
const accountKey = 'finance'
/** The last codes read; removed with the session. The server checks permissions on every call anyway. */
const keptKey = 'codes'
const keptForMs = 3 * dayMs
/** Statuses without a connection, or from a proxy whose server is restarting. */
const unreached: ReadonlySet<number> = new Set([0, 502, 503, 504])

export const currentPermissions = (): Permissions => store.get()
export const usePermissions = (): Permissions => useStore(store)
/** The financial account of the person's franchisee; null when there is none or it could not be read. */
export const useFinancialAccount = (): FinancialAccount | null => useStore(account)

let running: Promise<Permissions> | null = null

/**
 * Reads codes, financial account and the person; `all` is always among the codes (specification, sections 4 and 6).
 * Calls at the same time share one answer. Rejects when codes or person cannot be read.
 */
export function loadPermissions(): Promise<Permissions> {
  if (running !== null) return running
  const reading = readPermissions().finally(() => {
    if (running === reading) running = null
  })
  running = reading
  return reading
}

export function forgetPermissions(): void {
  // A pending read belongs to the previous person; the next person must not wait for it.
  running = null
  store.set({ state: 'unknown', held: nothing })
  account.set(null)
}

/** For tests: holds exactly these codes. */
export function overridePermissions(codes: readonly string[]): void {
  store.set({ state: 'ready', held: new Set(codes) })
}

async function readPermissions(): Promise<Permissions> {
  const session = currentSession()
  if (session === null) throw new ApiError({ code: 'unauthorized', status: 401 })
  if (store.get().state !== 'ready') store.set({ state: 'loading', held: nothing })
  try {
    const [codes, me, financial] = await Promise.all([
      call(sessionEndpoints.allCode, { opManId: session.opManId }, { quiet: true }),
      call(sessionEndpoints.me, {}, { quiet: true }),
      readFinancialAccount(session),
    ])
    // The person logged out while the responses were pending: drop them.
    if (!isStill(session)) throw new ApiError({ code: 'unauthorized', status: 401 })
    account.set(financial)
    describeSession(me.data)
    const ready: Permissions = {
      state: 'ready',
      held: new Set([...applyFinancialStatus(codes.data, financial), 'all']),
    }
    store.set(ready)
    writeStored(keptKey, { opManId: session.opManId, codes: [...ready.held] }, keptForMs)
    return ready
  } catch (error) {
    const kept = error instanceof ApiError && unreached.has(error.status) ? keptCodes(session.opManId) : null
    if (!isStill(session)) throw error
    if (kept !== null && store.get().state !== 'ready') {
      readAgainWithLine()
      const held: Permissions = { state: 'ready', held: kept }
      store.set(held)
      return held
    }
    // Codes that were read before stay valid: a bad connection must not empty the menu during work.
    if (store.get().state !== 'ready') store.set({ state: 'failed', held: nothing })
    throw error
  }
}

/** This person's stored codes, so that work can continue without a connection. */
function keptCodes(opManId: string): ReadonlySet<string> | null {
  const value = readStored(keptKey)
  if (typeof value !== 'object' || value === null || !('codes' in value) || !Array.isArray(value.codes)) return null
  if (!('opManId' in value) || value.opManId !== opManId) return null
  return new Set(value.codes.filter((code) => typeof code === 'string'))
}

function readAgainWithLine(): void {
  addEventListener('online', () => void loadPermissions().catch(() => null), { once: true })
}

/**
 * A refusal is shown and counts as no account; a call that fails also clears the stored account data,
 * including the operator's phone (specification, section 8).
 */
async function readFinancialAccount(session: Session): Promise<FinancialAccount | null> {
  try {
    const answer: unknown = await call(financialAccountEndpoints.accountInfo, {}, { quiet: true })
    if (isRefusal(answer)) {
      notify.error({ title: t('错误'), text: answer.msg ?? t('开户信息获取失败') })
      return null
    }
    const { data } = answer as { readonly data: FinancialAccount }
    if (!isStill(session)) return null
    keepFinancialAccount(session, data)
    return data
  } catch (error) {
    removeStored(accountKey)
    // The other calls at login already report a rejected session, a lost connection or a second factor.
    const isToldElsewhere = dueFactorOf(error) !== null
    if (error instanceof ApiError && error.status === 0 && clientConfig().hosts.finance !== '') {
      // A separate finance host fails separately: no other message explains the missing finance pages.
      notify.error({ title: t('错误'), text: t('财务服务无法连接，产品服务暂不可用') })
    } else if (error instanceof ApiError && error.status !== 0 && error.status !== 401 && !isToldElsewhere) {
      notify.error({ title: t('错误'), text: error.promot || t('开户信息获取失败') })
    }
    return null
  }
}

/** Whether that person is still logged in here: a late response must not store that person's data. */
const isStill = (session: Session): boolean => currentSession()?.accessToken === session.accessToken

function keepFinancialAccount({ phone }: Session, data: FinancialAccount): void {
  const { id, accountLevel, authStatus, customerName, status } = data
  writeStored(accountKey, {
    opMan: phone,
    accountId: id,
    accountLevel,
    authStatus,
    customerName,
    accountStatus: status,
  })
}

function isRefusal(answer: unknown): answer is { readonly success: false; readonly msg?: string } {
  return typeof answer === 'object' && answer !== null && 'success' in answer && answer.success === false
}
