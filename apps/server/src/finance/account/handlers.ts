import type { FinancialAccount, financialAccountEndpoints } from '@saddle/contract/finance/account.ts'
import { errorText } from '@saddle/contract/errors.ts'
import type { Caller, Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import type { PaymentPasswordProvider } from './paymentPassword.ts'
import { callTypeFor, hasPaymentPassword } from './rules.ts'
import { findAccount } from './store.ts'

const notOpened: FinancialAccount = {
  id: '',
  accountLevel: null,
  authStatus: null,
  customerName: null,
  name: null,
  status: null,
  accountType: null,
}

export function createAccountHandlers(
  kit: Pick<Kit, 'db' | 'secrets'>,
  passwords: PaymentPasswordProvider,
): Handlers<typeof financialAccountEndpoints> {
  // The account of the caller's own agent: what the header selects does not matter.
  const accountOf = ({ agentId, operatorId }: Caller): Promise<FinancialAccount | null> =>
    findAccount({ ...kit, scope: { agentIds: [agentId], areaIds: [], operatorId }, agentId })

  return {
    accountInfo: async (_input, { caller }) => ({ success: true, data: (await accountOf(caller)) ?? notOpened }),

    paymentPasswordLink: async (input, { caller }) => {
      const account = await accountOf(caller)
      if (account === null || !hasPaymentPassword(account)) {
        return { success: false, msg: errorText('account_not_active') }
      }
      const redirectUrl = await passwords.link({
        accountId: account.id,
        agentId: caller.agentId,
        operatorId: caller.operatorId,
        callType: callTypeFor({ accountType: account.accountType, asked: input.callType }),
      })
      if (redirectUrl === null) return { success: false, msg: errorText('payment_password_unavailable') }
      return { success: true, data: { redirectUrl } }
    },
  }
}
