import { createVisitor, type Visitor } from './visitor.ts'

/** Riders who bring themselves: accounts on one telephone and one payment account that name each other's codes. */

/** A step is tried with so many of the cheater's rides. */
const stepShare = 0.5

/**
 * The next step of a cheater: an account on the same telephone, one that hides the telephone and pays as the cheater does, two
 * that name each other. Resolves to the account under which the cheater rides now; null: the own one.
 */
export async function cheat(visitor: Visitor): Promise<string | null> {
  const { city, person, random, memory } = visitor
  const [first, second, third, fourth] = person.accounts
  if (first === undefined || second === undefined || third === undefined || fourth === undefined) return null
  if (!random.chance(stepShare)) return null
  const account = (phone: string): Visitor => createVisitor(city, { ...visitor, phone })
  const step = memory.ringStep
  if (step === 0 || step === 1) {
    const code = await codeOf(visitor)
    if (code === null) return null
    memory.ringStep++
    if (step === 0) {
      await bind(account(first), code, true)
      return null
    }
    return (await bind(account(second), code, false)) ? second : null
  }
  if (step !== 2) return null
  memory.ringStep++
  const [one, other] = [account(third), account(fourth)]
  const [codeOfOne, codeOfOther] = [await codeOf(one), await codeOf(other)]
  if (codeOfOne === null || codeOfOther === null) return null
  await bind(one, codeOfOther, false)
  await bind(other, codeOfOne, false)
  return null
}

async function codeOf(visitor: Visitor): Promise<string | null> {
  return (await visitor.ask('riderOwnInvites', visitor.who))?.code ?? null
}

async function bind(visitor: Visitor, code: string, tellsDevice: boolean): Promise<boolean> {
  const { city, person, who, memory } = visitor
  memory.hasOpened = true
  const told = tellsDevice ? { device: person.device } : {}
  const bound = await visitor.ask('riderBindInvite', { ...who, code, ...told })
  if (bound === null) return false
  city.counts.cheated++
  return true
}
