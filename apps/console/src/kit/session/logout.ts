import { loginEndpoints } from '@saddle/contract/identity/login.ts'
import { call } from '#kit/api/client.ts'
import { forgetPermissions } from './permissions.ts'
import { clearDueFactor } from './secondFactor.ts'
import { endSession, isLoggedIn } from './store.ts'

/** Ends the session on the server, then here; also ends it here if the server does not respond. */
export async function logout(): Promise<void> {
  try {
    if (isLoggedIn()) await call(loginEndpoints.logout, {}, { quiet: true })
  } catch {
    // The session expires on the server by its idle time; the keys are deleted here in any case.
  } finally {
    leave()
  }
}

/** Clears the person's data without calling the server: after a 401 the session no longer exists there. */
export function leave(): void {
  endSession()
  forgetPermissions()
  clearDueFactor()
}
