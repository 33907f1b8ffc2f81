import { redirect, type LoaderFunction } from 'react-router'
import { isRoutePermitted, redirectOf, type MenuRow } from '@saddle/contract/menu.ts'
import { quickLoginQuery } from '#identity/login/quickLoginQuery.ts'
import { isApiError } from '#kit/api/error.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { logout } from '#kit/session/logout.ts'
import { currentPermissions, loadPermissions, type Permissions } from '#kit/session/permissions.ts'
import { dueFactor, noteDueFactor } from '#kit/session/secondFactor.ts'
import { currentSession, isLoggedIn } from '#kit/session/store.ts'
import { sessionRefused } from './failures.ts'
import { withRedirect } from '#kit/redirect.ts'

const kioskPath = '/screen-login'
const isScreen = (): boolean => currentSession()?.screen !== undefined

/** The rules of section 2 and 4 for one route, asked on every navigation to it. */
export function guardOf(row: MenuRow): LoaderFunction {
  return async ({ request }) => {
    const url = new URL(request.url)
    const origin = url.searchParams.get(quickLoginQuery)
    if (origin !== null) return tryQuickLogin(origin, url)
    const answer = row.public ? guardPublic(row) : await guardPrivate(row, url.pathname + url.search)
    return answer
  }
}

function guardPublic(row: MenuRow): Response | null {
  // The second half of the login stands on the same page.
  // The browser of a wall has no other page, and a lost session shows its code again.
  if (row.path !== kioskPath && isScreen()) return redirect(kioskPath)
  return row.path === '/login' && isLoggedIn() && dueFactor() === null ? redirect('/') : null
}

async function guardPrivate(row: MenuRow, wanted: string): Promise<Response | null> {
  if (isScreen()) return redirect(kioskPath)
  if (!isLoggedIn()) return redirect(`/login-home?redirect=${encodeURIComponent(wanted)}`)
  const permissions = await ownPermissions()
  if (permissions === 'refused' || permissions === 'unfinished') return redirect(withRedirect('/login', wanted))
  if (permissions === 'failed') return redirect('/login-home')
  // Routes without permission are treated as not found.
  if (!isRoutePermitted(row.path, permissions.held)) return redirect('/404')
  const onward = redirectOf(row.path, permissions.held)
  return onward === null ? null : redirect(onward)
}

/** Permissions of the user, read at the first page load. */
async function ownPermissions(): Promise<Permissions | 'refused' | 'unfinished' | 'failed'> {
  if (dueFactor() !== null) return 'unfinished'
  const known = currentPermissions()
  if (known.state === 'ready') return known
  try {
    return await loadPermissions()
  } catch (error) {
    if (noteDueFactor(error) !== null) return 'unfinished'
    if (isApiError(error) && error.status === 401) {
      sessionRefused()
      return 'refused'
    }
    notify.error({ title: t('错误'), text: t('请求用户信息失败，请重试') })
    await logout()
    return 'failed'
  }
}

/** Follows a quick-login link once and takes its parameter out of the address; a logged-in user stays logged in. */
async function tryQuickLogin(origin: string, url: URL): Promise<Response> {
  url.searchParams.delete(quickLoginQuery)
  const wanted = url.pathname + url.search
  if (isLoggedIn()) return redirect(wanted)
  const { quickLogin } = await import('#identity/login/quickLogin.ts')
  const succeeded = await quickLogin(origin)
  if (!succeeded) return redirect('/login-home')
  return redirect(wanted.startsWith('/login') ? '/' : wanted)
}
