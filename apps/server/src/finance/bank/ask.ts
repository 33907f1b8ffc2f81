import { AppError } from '@saddle/contract/errors.ts'
import { BankRefusal, type Bank, type BankInput, type BankOutput, type BankService } from './provider.ts'

/** Asks the bank for somebody who waits. Throws bank_unavailable, bank_refused and bank_silent. */
export async function askBank<S extends BankService>(
  bank: Bank | null,
  service: S,
  input: BankInput<S>,
): Promise<BankOutput<S>> {
  if (bank === null) throw new AppError('bank_unavailable')
  try {
    return await bank.ask(service, input)
  } catch (cause) {
    if (cause instanceof BankRefusal) throw new AppError('bank_refused', { values: { reason: cause.message }, cause })
    throw new AppError('bank_silent', { cause })
  }
}
