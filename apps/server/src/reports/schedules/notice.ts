import { tell } from '#notices/public.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { DeliveryNotice } from './deps.ts'

const exportCentre = '/exports'

/** Tells a receiver by the channels that they and their company have chosen. */
export async function tellReceiver(tx: Tx, notice: DeliveryNotice): Promise<void> {
  const { isReady, agentId, operatorId, key, name, from, to, at } = notice
  const own = { agentId, subject: key, key, path: exportCentre, operatorIds: [operatorId], at }
  await tell(
    tx,
    isReady
      ? { ...own, event: 'report_ready', values: { name, from, to } }
      : { ...own, event: 'report_failed', values: { name } },
  )
}
