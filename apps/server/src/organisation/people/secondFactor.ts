import { AppError } from '@saddle/contract/errors.ts'
import type { SessionCall } from '#kit/call.ts'
import { touchRefusal } from './change.ts'
import type { PeopleParts } from './parts.ts'
import { peopleOf, readActor } from './reach.ts'
import { findPerson } from './store.ts'

/**
 * Takes the second factor off somebody who has lost it, and ends their sessions. It bars the way to what they may do,
 * so only who may change them may do it, and nobody to themselves: for that there is a code to show.
 */
export async function resetSecondFactor(parts: PeopleParts, call: SessionCall, operatorId: number): Promise<void> {
  const { kit, audit, identity } = parts
  const [actor, person] = await Promise.all([
    readActor(kit.db, call),
    findPerson(kit.db, { reach: peopleOf(call, 'both'), operatorId, callerId: call.caller.operatorId }),
  ])
  if (person === null) throw new AppError('not_found')
  const code = touchRefusal(actor, person)
  if (code !== null) throw new AppError(code)
  if (!person.hasTotp) throw new AppError('conflict')
  const line = { action: 'totp.reset', subjectKind: 'operator', subjectId: operatorId }
  await identity.operators.resetSecondFactor(operatorId, (tx) =>
    audit.act(tx, call, { agentId: person.agentId, ...line }),
  )
}
