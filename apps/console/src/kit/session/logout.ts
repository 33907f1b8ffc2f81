import { loginEndpoints } from '@saddle/contract/identity/login.ts'
import { call } from '#kit/api/client.ts'
import { forgetPermissions } from './permissions.ts'
import { clearDueFactor } from './secondFactor.ts'
import { endSession, isLoggedIn } from './store.ts'

/** Ends the session on the server, then here. A server that does not answer keeps nobody logged in on this screen. */
export async function logout(): Promise<void> {
  try {
    if (isLoggedIn()) await call(loginEndpoints.logout, {}, { quiet: true })
  } catch {
    // The session dies by its idle time; the keys are gone from here in any case.
  } finally {
    leave()
  }
}

/** Forgets the person without telling the server: after a 401 there is nobody to tell. */
export function leave(): void {
  endSession()
  forgetPermissions()
  clearDueFactor()
}
