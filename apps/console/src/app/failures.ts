import { onFailure, wordsOf, type ApiError } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { leave } from '#kit/session/logout.ts'
import { noteDueFactor } from '#kit/session/secondFactor.ts'
import { currentSession } from '#kit/session/store.ts'

/** Shows that the session was rejected and clears it. */
export function sessionRefused(): void {
  notify.error({ title: t('未授权'), text: t('授权验证失败') })
  leave()
}

/** Handles every failed call (specification, section 8). `toLogin` opens the login page. */
export function watchFailures(toLogin: () => void): () => void {
  return onFailure((error) => {
    if (error.status === 401) {
      // Concurrent calls fail together: one notice is enough.
      if (currentSession() === null) return
      sessionRefused()
      toLogin()
      return
    }
    // The login page asks for it and leads back here.
    if (noteDueFactor(error) !== null) return toLogin()
    const message = messageOf(error)
    if (message !== null) notify.error(message)
  })
}

function messageOf(error: ApiError): { title: string; text: string } | null {
  if (error.status === 403) return { title: 'Forbidden', text: wordsOf(error) }
  if (error.status === 404) return { title: t('错误'), text: wordsOf(error) }
  if (error.status === 0) return { title: t('错误'), text: t('网络出现问题，请稍后再试') }
  return null
}
