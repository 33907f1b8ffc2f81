import { scryptSync, timingSafeEqual } from 'node:crypto'
import type { AccountRecord, AuthRecord } from './records.ts'
import type { Link, Vault } from './vault.ts'

export type CounterPage = {
  readonly page: 'password' | 'authorise'
  readonly isReset: boolean
  readonly name: string
  readonly hasPassword: boolean
  readonly cents: number
  readonly lastDigits: string
}

export type BankCounter = {
  /** What a link is for; null when there is none such, or it has expired. */
  open(token: string): CounterPage | null
  /** Sets the password; says what is wrong with it, or null. */
  setPassword(token: string, given: { readonly proof: string; readonly password: string }): string | null
  /** Allows the payment; says what is wrong, or null. */
  authorise(token: string, password: string): string | null
}

const MAX_WRONG_TRIES = 5
const passwordForm = /^\d{6}$/
const LINK_GONE = '链接已失效，请重新打开'

/** Of scrypt; a test of many sequences takes a lower one. */
const USUAL_PASSWORD_COST = 16_384

/** The pages where a person proves to be the holder of an account. */
export function createCounter(vault: Vault, passwordCost = USUAL_PASSWORD_COST): BankCounter {
  const hashOf = (password: string, salt: string): string =>
    scryptSync(password, salt, 32, { N: passwordCost }).toString('hex')
  const isRight = (account: AccountRecord, password: string): boolean => {
    const [salt = '', hash = ''] = account.password?.split(':') ?? []
    const given = Buffer.from(hashOf(password, salt), 'hex')
    const kept = Buffer.from(hash, 'hex')
    return kept.length === given.length && timingSafeEqual(kept, given)
  }
  const checked = (account: AccountRecord, password: string): string | null => {
    if (account.password === null) return '尚未设置支付密码，请先在平台右上角菜单点“重置支付密码”进行设置'
    if (account.wrongTries >= MAX_WRONG_TRIES) return '支付密码错误次数过多，请先重置支付密码'
    if (isRight(account, password)) {
      if (account.wrongTries > 0) vault.keep({ ...account, wrongTries: 0 })
      return null
    }
    vault.keep({ ...account, wrongTries: account.wrongTries + 1 })
    return '支付密码不正确'
  }
  const authOf = (link: Link | null): AuthRecord | undefined =>
    link?.page === 'authorise' ? vault.find('auth', link.subject) : undefined
  const holderOf = (link: Link | null): AccountRecord | null => {
    if (link?.page === 'password') return vault.find('account', link.subject) ?? null
    const auth = authOf(link)
    return auth === undefined ? null : vault.accountOf(auth.account)
  }
  return {
    open: (token) => {
      const link = vault.link(token)
      const account = holderOf(link)
      if (link === null || account === null) return null
      const { page, isReset } = link
      const shown = { page, isReset, name: account.name, hasPassword: account.password !== null }
      const auth = authOf(link)
      if (auth === undefined) return { ...shown, cents: 0, lastDigits: '' }
      return { ...shown, cents: auth.cents, lastDigits: vault.boundCard(auth.account, auth.token).lastDigits }
    },
    setPassword: (token, { proof, password }) => {
      const link = vault.link(token)
      const account = link?.page === 'password' ? holderOf(link) : null
      if (link === null || account === null) return LINK_GONE
      if (!passwordForm.test(password)) return '支付密码应为 6 位数字'
      if (link.isReset && proof !== link.code) {
        vault.countWrong(token)
        return '验证码不正确'
      }
      const refusal = link.isReset ? null : checked(account, proof)
      if (refusal !== null) return refusal
      const salt = vault.hex(16)
      vault.keep({ ...account, password: `${salt}:${hashOf(password, salt)}`, wrongTries: 0 })
      vault.forget(token)
      return null
    },
    authorise: (token, password) => {
      const link = vault.link(token)
      const auth = authOf(link)
      const account = holderOf(link)
      if (account === null || auth === undefined) return LINK_GONE
      const refusal = checked(account, password)
      if (refusal !== null) return refusal
      if (auth.state === 'waiting') vault.keep({ ...auth, state: 'granted' })
      vault.forget(token)
      return null
    },
  }
}
