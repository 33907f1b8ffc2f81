import type { FinancialAccount } from '@saddle/contract/finance/account.ts'
import type { Keyring } from '#kit/crypto.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'

export const customerPurpose = 'financial-customer'
export const namePurpose = 'financial-name'

/** The account of one agent of the scope; null when none was opened. */
export async function findAccount(options: {
  db: Database
  secrets: Keyring
  scope: Scope
  agentId: number
}): Promise<FinancialAccount | null> {
  const { db, secrets, scope, agentId } = options
  const [row] = await db.read(scope, (k) =>
    k.selectFrom('financial_account').selectAll().where('agent_id', '=', agentId).compile(),
  )
  if (row === undefined) return null
  const context = String(row.agent_id)
  const open = (purpose: string, sealed: string | null): string | null =>
    sealed === null ? null : secrets.decryptText({ purpose, sealed, context })
  return {
    id: String(row.id),
    accountLevel: row.account_level,
    authStatus: row.auth_status,
    customerName: open(customerPurpose, row.customer_name_sealed),
    name: open(namePurpose, row.name_sealed),
    status: row.status,
    accountType: row.account_type === 'company' || row.account_type === 'person' ? row.account_type : null,
  }
}

export type AccountState = Omit<FinancialAccount, 'id'> & { readonly agentId: number }

/** Stores the payment provider's data about an agent's account; an agent has one account. */
export async function saveAccount(options: { tx: Tx; secrets: Keyring; account: AccountState }): Promise<void> {
  const { tx, secrets, account } = options
  const context = String(account.agentId)
  const seal = (purpose: string, text: string | null): string | null =>
    text === null ? null : secrets.encryptText({ purpose, text, context })
  const values = {
    account_level: account.accountLevel,
    auth_status: account.authStatus,
    status: account.status,
    account_type: account.accountType,
    customer_name_sealed: seal(customerPurpose, account.customerName),
    name_sealed: seal(namePurpose, account.name),
  }
  await tx
    .insertInto('financial_account')
    .values({ agent_id: account.agentId, ...values })
    .onConflict((conflict) => conflict.column('agent_id').doUpdateSet(values))
    .execute()
}
