import { sessionEndpoints } from '@saddle/contract/identity/session.ts'
import { call } from '#kit/api/client.ts'
import { liveSocket } from '#kit/live/socket.ts'
import { queryClient } from '#kit/query.ts'
import { loadPermissions } from '#kit/session/permissions.ts'

let watching = false

/** Handles session events of the live socket; started once, with the shell. */
export function watchLive(): void {
  if (watching) return
  watching = true
  liveSocket.onEvent((event) => {
    if (event.type === 'refresh' || (event.type === 'bye' && event.code === 'session_changed')) void readAnew()
  })
  // A rejected socket gives no reason; an ordinary call does, and its 401 is handled as usual.
  liveSocket.onRefused(() => void call(sessionEndpoints.me, {}).catch(() => null))
}

/** Permissions or scope have changed: reloads the menu and all queries. */
async function readAnew(): Promise<void> {
  await loadPermissions().catch(() => null)
  await queryClient.invalidateQueries()
}
