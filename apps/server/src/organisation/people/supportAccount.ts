import { AppError } from '@saddle/contract/errors.ts'
import type { SessionCall } from '#kit/call.ts'
import { randomId } from '#kit/crypto.ts'
import type { PeopleParts } from './parts.ts'
import { peopleOf } from './reach.ts'
import { lockPerson } from './store.ts'

/** Opens an account at the service desk for a user of the own company and returns its name; once for each user. */
export async function openSupportAccount(parts: PeopleParts, call: SessionCall, operatorId: number): Promise<string> {
  const { kit, audit } = parts
  const reach = peopleOf(call, 'own')
  return await kit.db.withScope(reach.scope, async (tx) => {
    const person = await lockPerson(tx, { reach, operatorId, callerId: call.caller.operatorId })
    if (person === null) throw new AppError('not_found')
    if (person.supportAccount !== null) return person.supportAccount
    if (person.state !== 'enabled') throw new AppError('operator_disabled')
    const { agentId } = person
    // The desk shows it to others, so it tells neither the number nor how many people there are.
    const supportAccount = `desk-${randomId(kit.random).slice(0, 10)}`
    await tx
      .updateTable('operator')
      .set({ support_account: supportAccount })
      .where('id', '=', operatorId)
      .where('agent_id', '=', agentId)
      .execute()
    const line = { action: 'operator.support_account', subjectKind: 'operator', subjectId: operatorId }
    await audit.act(tx, call, { agentId, ...line, after: { supportAccount } })
    return supportAccount
  })
}
