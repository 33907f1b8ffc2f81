import { sessionEndpoints } from '@saddle/contract/identity/session.ts'
import { call } from '#kit/api/client.ts'
import { liveSocket } from '#kit/live/socket.ts'
import { queryClient } from '#kit/query.ts'
import { loadPermissions } from '#kit/session/permissions.ts'

let watching = false

/** Follows what the socket says of the session itself; started once, with the shell. */
export function watchLive(): void {
  if (watching) return
  watching = true
  liveSocket.onEvent((event) => {
    if (event.type === 'refresh' || (event.type === 'bye' && event.code === 'session_changed')) void readAnew()
  })
  // A refused socket cannot tell why; an ordinary call can, and a 401 of it is told like any other.
  liveSocket.onRefused(() => void call(sessionEndpoints.me, {}).catch(() => null))
}

/** Permissions or scope have changed: the menu and everything on the screen are read anew. */
async function readAnew(): Promise<void> {
  await loadPermissions().catch(() => null)
  await queryClient.invalidateQueries()
}
