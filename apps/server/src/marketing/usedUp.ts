import { sql, type RawBuilder } from 'kysely'
import { budgetRestPercent } from '@saddle/contract/marketing/activities.ts'

type Part = RawBuilder<unknown>
type Money = { readonly budgetCents: Part; readonly usedCents: Part; readonly uses: Part }

/** `isBudgetUsedUp` of the contract for the money of a budget, as a condition of the database. */
export const isMoneyUsedUp = ({ budgetCents, usedCents, uses }: Money): RawBuilder<boolean> => sql`
  coalesce((${usedCents}) >= ${budgetCents} or ((${usedCents}) * 100 >= ${budgetCents} * ${budgetRestPercent}::bigint
    and (${uses}) > 0 and (${budgetCents} - (${usedCents}))::numeric * (${uses}) < (${usedCents})), false)`

/** `isBudgetUsedUp` of the contract, as a condition of the database. */
export const isUsedUp = ({ budgetUses, ...money }: Money & { readonly budgetUses: Part }): RawBuilder<boolean> => sql`
  (coalesce((${money.uses}) >= ${budgetUses}, false) or ${isMoneyUsedUp(money)})`
