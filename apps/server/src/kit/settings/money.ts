import { whole, variable } from './forms.ts'

/** Limits and times of money. */
export const moneyVariables = {
  prepaidCapYuan: variable({
    name: 'PREPAID_CAP_YUAN',
    about:
      'Yuan of paid balance that a rider may have; a recharge that would lift it above is refused, or paid back at once where the money has arrived. The rules for users’ funds of shared vehicles allow 100. 0 = no limit of the platform; a company may choose a lower one.',
    schema: whole({ min: 0, max: 1_000_000 }),
    fallback: '100',
  }),
  splitGraceMinutes: variable({
    name: 'SPLIT_GRACE_MINUTES',
    about:
      'Minutes after the end of a business day until its income is closed: entries that arrive later count for the day that is open then.',
    schema: whole({ min: 0, max: 1_440 }),
    fallback: '60',
  }),
  secondPersonYuan: variable({
    name: 'MONEY_SECOND_PERSON_YUAN',
    about:
      'Yuan of riders’ money (charges by hand, refunds, deposits, cards) that one person may move in a day by themselves; what goes above waits for a second person. 0 = no limit.',
    schema: whole({ min: 0, max: 10_000_000 }),
    fallback: '1000',
  }),
  vehicleCostYuan: variable({
    name: 'DEPOSIT_VEHICLE_COST_YUAN',
    about:
      'Mean cost of a vehicle in yuan, one for all companies: the platform answers for the bound, and a company that set its own could lift it. The law allows a tenth of it as a deposit; more is refused when a deposit is set.',
    schema: whole({ min: 1, max: 1_000_000 }),
    fallback: '2500',
  }),
} as const
