import type { Kit } from '#kit/kit.ts'
import type { RiderEvents } from '#rider/public.ts'
import { selectOfRider } from './store.ts'

/** The tickets of a rider as timeline entries: state, text and assignee. */
export const createTicketEvents =
  ({ db }: Pick<Kit, 'db'>): RiderEvents =>
  async (scope, { riderId, before, limit }) => {
    const asked = { scope, riderId, before: new Date(before), limit }
    const rows = await db.read(scope, (k) => selectOfRider(asked).compile(k))
    return rows.map((row) => ({
      at: row.opened_at.getTime(),
      kind: 'ticket',
      code: row.state,
      text: row.text,
      cents: null,
      by: row.assignee_name,
      aboutId: row.id,
    }))
  }
