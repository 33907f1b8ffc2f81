import { setLanguage, t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { safeRedirect } from '#kit/redirect.ts'
import { clearDueFactor, noteDueFactor } from '#kit/session/secondFactor.ts'
import { readStored } from '#kit/storage.ts'
import { currentSession } from '#kit/session/store.ts'
import { afterLogin } from './session.ts'

/** Opens the requested page after login; stays when a second factor is required. */
export async function enterConsole(redirect: string | null): Promise<void> {
  let held: ReadonlySet<string> = new Set()
  try {
    held = await afterLogin()
  } catch (error) {
    if (noteDueFactor(error) !== null) return
    // Without codes only the home is known to be permitted; the guard will say what is wrong with them.
  }
  clearDueFactor()
  // A browser without a chosen language uses the user's own.
  const own = currentSession()?.me?.language
  if (own !== undefined && readStored('language') === null) await setLanguage(own)
  notify.afterReload('success', { title: t('欢迎'), text: t('登陆成功') })
  location.hash = safeRedirect(redirect, held)
  location.reload()
}
