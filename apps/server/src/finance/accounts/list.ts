import { sql } from 'kysely'
import {
  accountStatusLabels,
  companyAccountFields,
  companyAccountList,
  type bankAccountEndpoints,
  type CompanyAccount,
  type CompanyAccountFilter,
} from '@saddle/contract/finance/accounts.ts'
import { usualWithdrawalTerms, withdrawalTermsSchema } from '@saddle/contract/finance/withdrawals.ts'
import { listSumMax } from '@saddle/contract/list.ts'
import { businessDayOf } from '@saddle/contract/time.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { serveComputedList } from '#kit/list/computedList.ts'
import { customerPurpose } from '../account/store.ts'
import { drawnOfDay, termsOf } from '../withdrawals/store.ts'
import { checkCompany, type AccountHandlerDeps } from './opening.ts'

type All = Handlers<typeof bankAccountEndpoints>
type Lists = Pick<All, 'listCompanyAccounts' | 'sumCompanyAccounts' | 'exportCompanyAccounts' | 'bankBalance'>

const COMPANIES_MAX = 5_000

const companyRow = rowsOf(
  rowOfValues({
    id: computed('bigint', sql`a.id`),
    company: computed('text', sql`a.company`),
    cards: computed('integer', sql`(select count(*) from bank_card c where c.agent_id = a.id and c.state = 'bound')`),
    sub_accounts: computed(
      'integer',
      sql`(select count(*) from sub_account s where s.agent_id = a.id and s.state = 'open')`,
    ),
    available_cents: computed(
      'bigint',
      sql`coalesce(sum(b.balance_cents) filter (where l.kind = 'agent_available'), 0)`,
    ),
    withdrawing_cents: computed(
      'bigint',
      sql`coalesce(sum(b.balance_cents) filter (where l.kind = 'agent_withdrawing'), 0)`,
    ),
    withdrawal_terms: computed(
      'jsonb?',
      sql`(select t.terms from withdrawal_terms t where t.agent_id = a.id order by t.version desc limit 1)`,
    ),
  }),
  rowOf('financial_account', 'f', [
    'status',
    'account_type',
    'account_level',
    'customer_name_sealed',
    'bank_number',
    'opened_at',
  ]).optional(),
)

const selectCompanies = (scope: Pick<Scope, 'agentIds'>) => companyRow.select`
  from agent a left join financial_account f on f.agent_id = a.id
  left join ledger_account l on l.agent_id = a.id and l.owner_id = 0 and l.kind in ('agent_available', 'agent_withdrawing')
  left join ledger_balance b on b.account_id = l.id
  where a.id = any (${scope.agentIds}::bigint[])
  group by a.id, f.id order by a.company, a.id limit ${COMPANIES_MAX}`

function matches(row: CompanyAccount, { id, company, statuses, accountType }: CompanyAccountFilter): boolean {
  const status = row.status === null ? 'none' : String(row.status)
  return (
    (id === undefined || row.id === id) &&
    (company === undefined || row.company.toLowerCase().includes(company.toLowerCase())) &&
    (statuses === undefined || statuses.some((wanted) => wanted === status)) &&
    (accountType === undefined || row.accountType === accountType)
  )
}

export function createAccountLists(deps: AccountHandlerDeps): Lists {
  const { kit } = deps
  const all = async (filter: CompanyAccountFilter, { scope }: SessionCall): Promise<CompanyAccount[]> => {
    const rows = await kit.db.read(scope, (k) => selectCompanies(scope).compile(k))
    const shown = rows.map((row): CompanyAccount => {
      const { customerNameSealed: sealed, withdrawalTerms, accountType, ...rest } = companyRow.present(row)
      const terms = withdrawalTerms === null ? usualWithdrawalTerms : withdrawalTermsSchema.parse(withdrawalTerms)
      const shownOnly: Pick<CompanyAccount, 'accountType' | 'isWithdrawalAllowed' | 'customerName'> = {
        accountType: accountType === 'company' || accountType === 'person' ? accountType : null,
        isWithdrawalAllowed: terms.isAllowed,
        customerName:
          sealed === null
            ? null
            : kit.secrets.decryptText({ purpose: customerPurpose, sealed, context: String(row.id) }),
      }
      return Object.assign(rest, shownOnly)
    })
    return shown.filter((row) => matches(row, filter))
  }
  const list = serveComputedList(deps, companyAccountList, {
    name: 'company-accounts',
    all,
    sorted: (rows, sort, direction) => {
      const sign = direction === 'asc' ? 1 : -1
      const shown: readonly CompanyAccount[] = rows
      return shown.toSorted((a, b) =>
        sort === 'company'
          ? sign * a.company.localeCompare(b.company, 'zh-CN')
          : sign * (a.availableCents - b.availableCents),
      )
    },
    file: {
      action: 'account.export',
      fields: companyAccountFields,
      present: (row) => ({
        ...row,
        statusText: accountStatusLabels[row.status === null ? 'none' : String(row.status)] ?? '',
      }),
    },
  })
  return {
    listCompanyAccounts: list.page,
    exportCompanyAccounts: list.file,
    sumCompanyAccounts: async ({ filter }, call) => {
      const rows = await all(filter, call)
      const sum = (key: 'availableCents' | 'withdrawingCents'): number =>
        rows.reduce((total, row) => total + row[key], 0)
      const sums = { availableCents: sum('availableCents'), withdrawingCents: sum('withdrawingCents') }
      return { suc: true, data: { rows: rows.length, isCut: rows.length > listSumMax, sums } }
    },

    bankBalance: async ({ agentId }, call) => {
      checkCompany(call, agentId)
      return { suc: true, data: await readBalance(deps, agentId) }
    },
  }
}

async function readBalance({ kit, ledger }: AccountHandlerDeps, agentId: number) {
  const day = businessDayOf(kit.clock.now())
  return kit.db.system(async (tx) => {
    const accounts = [
      { kind: 'agent_available' },
      { kind: 'agent_withdrawing' },
      { kind: 'agent_in_transit' },
      { kind: 'clearing_bank' },
    ] as const
    const [available = 0, withdrawing = 0, inTransit = 0, paid = 0] = await ledger.balancesOf({ agentId, accounts }, tx)
    const { terms, version } = await termsOf(tx, agentId)
    const drawn = await drawnOfDay(tx, { agentId, day })
    const { rows } = await rowOf('withdrawal_terms', 't', ['reason']).select`
      from withdrawal_terms t where t.agent_id = ${agentId} and t.version = ${version}`.execute(tx)
    const { minCents, feeCents, dailyCents, secondCents, isAllowed } = terms
    return {
      availableCents: available,
      withdrawingCents: withdrawing,
      inTransitCents: inTransit,
      paidCents: paid,
      minCents,
      feeCents,
      dailyCents,
      secondCents,
      leftTodayCents: Math.max(0, dailyCents - drawn),
      stopped: isAllowed ? null : (rows[0]?.reason ?? ''),
    }
  })
}
